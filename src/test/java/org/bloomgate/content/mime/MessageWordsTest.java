package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.Test;

class MessageWordsTest {
    private static final Set<KeyKind> KEYWORDS = Set.of(KeyKind.KEYWORD);

    private final KeyBatch batch = new KeyBatch();

    private Set<String> read(String message, Set<KeyKind> kinds, MessageLimits limits) throws IOException {
        byte[] bytes = message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        return Set.copyOf(Limit.labels(new MessageReader(limits)
                .read(new ByteArrayInputStream(bytes), PublicSuffixes.bundled(), kinds, batch, new Allowance(limits))
                .limits()));
    }

    private List<String> words() {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.kindCode(i) == KeyKind.KEYWORD.wireCode() && batch.weight(i) == 1) {
                words.add(batch.key(i).text());
            }
        }
        return words;
    }

    @Test
    void theWordsShownAreOneIdentifier() throws IOException {
        Set<String> limits = read("""
            Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
            From: Nobody Here <x@sender.example>
            Content-Type: multipart/alternative; boundary=b

            --b

            Win BIG
            --b
            Content-Type: text/html

            <style>p { color: red }</style><!-- hidden --><p title=x>Win</p><p>b<b>i</b>g</p>
            --b--
            """, KEYWORDS, MessageLimits.defaults());
        assertEquals(Set.of(), limits);
        assertEquals(List.of("gr\u00fcsse", "win", "big", "win", "big"), words());
        assertEquals(
                new Identifier(KeyKind.KEYWORD, "5 words", Place.CONTENT, "content"),
                batch.identifiers().getLast());
        assertEquals(1, batch.quorum(batch.identifiers().size() - 1));
    }

    @Test
    void moreThanTheShareOfThemHasToBeListed() throws IOException {
        read("\n" + "word ".repeat(40), KEYWORDS, MessageLimits.defaults());
        assertEquals(5, batch.quorum(0));
    }

    @Test
    void aCharacterOfAScriptWithoutBlanksCountsAsAWord() throws IOException {
        read("\n我们公司代开发票请联系我们优惠 today", KEYWORDS, MessageLimits.defaults());
        assertEquals("16 words", batch.identifiers().getLast().value());
        assertEquals(2, batch.quorum(0));
    }

    @Test
    void noWordIsReadWhenNoneIsListed() throws IOException {
        read("Subject: x\n\nword", Set.of(KeyKind.DOMAIN), MessageLimits.defaults());
        assertEquals(List.of(), words());
        assertEquals(List.of(), batch.identifiers());
    }

    @Test
    void wordsBeyondTheLimitAreLeftOutAndNamed() throws IOException {
        MessageLimits four = new MessageLimits(4000, 10, 5, 3, 2000, 3100, 4, 20, 4, 0.5, List.of());
        assertEquals(Set.of(), read("\na b c d", KEYWORDS, four));
        assertEquals(4, words().size());
        batch.clear();
        assertEquals(Set.of("words"), read("Subject: a b\n\nc d e", KEYWORDS, four));
        assertEquals(List.of("a", "b", "c", "d"), words());
        assertEquals(3, batch.quorum(0));
        batch.clear();
        assertEquals(Set.of("words"), read("\na " + "?".repeat(40), KEYWORDS, four));
        assertEquals(List.of("a"), words());
    }
}
