package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.Test;

class MessageSummaryTest {
    private static MessageSummary of(String message) throws IOException {
        return new MessageReader(MessageLimits.defaults())
                .read(
                        new ByteArrayInputStream(message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)),
                        PublicSuffixes.bundled(),
                        Set.of(),
                        new KeyBatch(),
                        new Allowance(MessageLimits.defaults()))
                .heading();
    }

    @Test
    void theFieldsAreUnfoldedAndDecoded() throws IOException {
        assertEquals(
                new MessageSummary(
                        "<1@x.example>", "Grüße an alle", "Zoë <z@x.example>", "=?UTF-8?Q?Zo=C3=AB?= <z@x.example>", 1),
                of("""
            From: =?UTF-8?Q?Zo=C3=AB?= <z@x.example>
            Message-ID: <1@x.example>
            Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=
             an alle

            text
            """));
    }

    @Test
    void theFirstOfEachNameCountsAndNoneOfAnAttachedMessage() throws IOException {
        assertEquals(new MessageSummary("", "first", "", "", 0), of("""
            Subject: first
            Subject: second
            Content-Type: message/rfc822

            From: a@inner.example
            Message-ID: <2@inner.example>
            Subject: inner

            text
            """));
    }

    @Test
    void aFieldIsCutAtItsBoundAndNeverWithinACharacter() throws IOException {
        assertEquals(
                MessageSummary.MAX_TEXT,
                of("Subject: " + "s".repeat(MessageSummary.MAX_TEXT) + "\n\nx")
                        .subject()
                        .length());
        assertEquals(
                MessageSummary.MAX_TEXT,
                of("Subject: " + "s".repeat(MessageSummary.MAX_TEXT + 1) + "\n\nx")
                        .subject()
                        .length());
        String faces = of("Subject: x" + "\uD83D\uDE00".repeat(300) + "\n\nx").subject();
        assertEquals(MessageSummary.MAX_TEXT - 1, faces.length());
    }

    @Test
    void aMessageWithoutThemHasNone() throws IOException {
        assertEquals(MessageSummary.NONE, of("\ntext"));
    }
}
