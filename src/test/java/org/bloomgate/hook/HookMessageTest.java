package org.bloomgate.hook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.bloomgate.hook.HookMessage.Change;
import org.bloomgate.hook.HookMessage.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HookMessageTest {
    private static HookMessage message(String octets) {
        return new HookMessage(octets.getBytes(ISO_8859_1));
    }

    private static String judged(HookMessage message) throws IOException {
        String judged = new String(message.open().readAllBytes(), ISO_8859_1);
        assertEquals(judged.length(), message.sizeBytes());
        return judged;
    }

    @Test
    void fieldsThatLookLikeOursAreNotJudgedAndTheirPlacesAreKnown() throws IOException {
        HookMessage message = message("""
            Received: a
            \tb
            X-Bloomgate-Token: 1
            no field
            subject: x
            x-bloomgate-token: 2
             folded

            X-Bloomgate-Token: of the body
            """.replace("\n", "\r\n"));

        assertEquals(
                "Received: a\r\n\tb\r\nno field\r\nsubject: x\r\n\r\nX-Bloomgate-Token: of the body\r\n",
                judged(message));
        assertEquals(
                List.of(new Place(1, "X-Bloomgate-Token", 1), new Place(3, "x-bloomgate-token", 2)), message.forged());
        assertFalse(message.hasTooManyForged());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\r\n",
                "\r\nbody",
                "\n\nbody",
                "a: b",
                "a: b\r\n",
                " a: b\r\n\r\n",
                "a\r\n",
                "\ra: b\r\n\r\n",
                "a: b\n\nbody",
                "a:b\r\n\r",
                ":\r\n\r\n"
            })
    void whatHasNothingOfOursIsJudgedAsItIs(String octets) throws IOException {
        assertEquals(octets, judged(message(octets)));
    }

    @ParameterizedTest
    @CsvSource({
        "Subject: one\\r\\n two, [x] one two",
        "Subject: [x] one, ",
        "Subject:, [x]",
        "Subject: gr\u00c3\u00bcn, [x] gr\u00fcn",
        "Subject: gr\u00fcn, [x] gr\u00fcn",
    })
    void thePrefixStandsBeforeTheSubjectOnce(String field, String marked) {
        HookMessage message = message("From: a\r\n" + field.replace("\\r\\n", "\r\n") + "\r\nSubject: other\r\n\r\n");

        assertTrue(message.hasSubject());
        assertEquals(
                marked == null ? List.of() : List.of(new Change(new Place(1, "Subject", 1), marked)),
                message.marked("[x]").stream().toList());
    }

    @Test
    void soManyForgedFieldsAreDeletedAndNoMore() throws IOException {
        String most = "X-Bloomgate-Reason: x\r\n".repeat(HookMessage.MAX_FORGED);

        assertFalse(message(most + "\r\n").hasTooManyForged());
        HookMessage beyond = message(most + "X-Bloomgate-Reason: x\r\n\r\nbody");
        assertTrue(beyond.hasTooManyForged());
        assertEquals("\r\nbody", judged(beyond));
        assertEquals(HookMessage.MAX_FORGED, beyond.forged().size());
        assertEquals(HookMessage.MAX_FORGED, beyond.forged().getLast().ofName());
    }

    @Test
    void aSubjectInUtf8IsReadAsSuch() {
        HookMessage message = new HookMessage("Subject: \u65e5\u672c\r\n\r\n".getBytes(UTF_8));

        assertEquals("[x] \u65e5\u672c", message.marked("[x]").orElseThrow().value());
    }
}
