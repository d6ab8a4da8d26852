package org.bloomgate.app.cli.inspect;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MboxReaderTest {
    private static final String FROM = "From a@from.example Sun Nov 22 02:00:00 2026\n";

    private static List<String> read(String mbox, int maxMessageBytes) throws IOException {
        List<String> messages = new ArrayList<>();
        new MboxReader(new ByteArrayInputStream(mbox.getBytes(ISO_8859_1)), maxMessageBytes)
                .read(new MboxReader.Messages() {
                    @Override
                    public void take(int number, InputStream message) throws IOException {
                        messages.add(number + "=" + new String(message.readAllBytes(), ISO_8859_1));
                    }

                    @Override
                    public void skip(int number) {
                        messages.add(number + " too long");
                    }
                });
        return messages;
    }

    @Test
    void mbox_separatorsAndBlankLinesAreNotPartOfMessages() throws IOException {
        assertEquals(
                List.of("1=A: 1\n\none\n", "2=A: 2\n\ntwo\n\n", "3=A: 3\n\nthree"),
                read(FROM + "A: 1\n\none\n\n" + FROM + "A: 2\n\ntwo\n\n\n" + FROM + "A: 3\n\nthree", 100));
        assertEquals(
                List.of("1=A: 1\r\n\r\none\r\n", "2=B: 2\r\n"),
                read("From x\r\nA: 1\r\n\r\none\r\n\r\nFrom y\r\nB: 2\r\n", 100));
    }

    @Test
    void aMissingBlankLineDoesNotHideTheNextMessage() throws IOException {
        assertEquals(List.of("1=one\n", "2=two\n"), read(FROM + "one\n" + FROM + "two\n", 100));
    }

    @Test
    void quotedLinesLoseOneLevelAndOthersNone() throws IOException {
        assertEquals(
                List.of("1=From me\n>From me\n>Fromage\n> From me\n>>x\na >From me\n"),
                read(FROM + ">From me\n>>From me\n>Fromage\n> From me\n>>x\na >From me\n", 100));
    }

    @Test
    void aMessageAtTheBoundIsTakenAndALongerOneReadOver() throws IOException {
        String mbox = FROM + "12345678\n\n" + FROM + "123456789\n\n" + FROM + "next\n";
        assertEquals(List.of("1=12345678\n", "2 too long", "3=next\n"), read(mbox, 10));
    }

    @Test
    void linesLongerThanAPieceStayWhole() throws IOException {
        String line = "x".repeat((1 << 16) - 1) + "From me " + ">From me".repeat(20_000) + "\n";
        assertEquals(List.of("1=" + line, "2=two\n"), read("From " + line + line + "\n" + FROM + "two\n", 1 << 20));
    }

    @Test
    void messagesWithoutBytesAreMessages() throws IOException {
        assertEquals(List.of("1=", "2=\n"), read(FROM + FROM + "\n\n", 10));
        assertEquals(List.of("1="), read("From ", 10));
        assertEquals(List.of(), read("", 10));
    }

    @Test
    void whatDoesNotBeginWithASeparatorIsNoMbox() {
        for (String text : List.of("Subject: x\n\n" + FROM, "\n" + FROM, ">From x\n", "From", "from x\n")) {
            IOException fault = assertThrows(IOException.class, () -> read(text, 100), text);
            assertTrue(String.valueOf(fault.getMessage()).startsWith("not an mbox: "), fault::getMessage);
        }
    }
}
