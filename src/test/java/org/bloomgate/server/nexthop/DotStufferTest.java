package org.bloomgate.server.nexthop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DotStufferTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            quoteCharacter = '"',
            value = {
                "''                    > .~",
                "a                     > a~.~",
                "a~                    > a~.~",
                ".                     > ..~.~",
                ".~                    > ..~.~",
                "..~.~                 > ...~..~.~",
                "a~.b~..c~d.e          > a~..b~...c~d.e~.~",
                "~                     > ~.~",
                "a~~.~~                > a~~..~~.~",
                "a~.                   > a~..~.~"
            })
    void everySplitOfAMessageGivesTheSameBytes(String message, String expected) throws IOException {
        byte[] bytes = bytes(message.equals("''") ? "" : message);
        for (int i = 0; i <= bytes.length; i++) {
            for (int j = i; j <= bytes.length; j++) {
                assertEquals(expected, text(stuffed(bytes, i, j)), "split at " + i + " and " + j);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\n", "\r", "a\nb", "a\rb", "a\r\r\nb", "\n.\r\n", "\r\n.\n", "\r.\r\n", "a\r\n\n", "\r\n.\r"})
    void aBareLineEndIsRefusedAtEverySplit(String message) {
        byte[] bytes = message.getBytes(ISO_8859_1);
        for (int i = 0; i <= bytes.length; i++) {
            int split = i;
            assertThrows(DotStuffer.BareLineEndException.class, () -> stuffed(bytes, split, split));
        }
    }

    @Test
    void aReceiverThatTakesTheDotsOutFindsTheMessage() throws IOException {
        Random random = new Random(4);
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = randomLines(random);
            int split = random.nextInt(bytes.length + 1);
            byte[] sent = stuffed(bytes, split, bytes.length);
            assertEquals(new String(bytes, ISO_8859_1), received(sent));
        }
    }

    @Test
    void theFinalDotIsWrittenInOnePiece() throws IOException {
        List<String> pieces = new ArrayList<>();
        OutputStream out = new OutputStream() {
            @Override
            public void write(int b) {
                pieces.add(String.valueOf((char) b));
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                pieces.add(new String(bytes, from, length, ISO_8859_1));
            }
        };
        DotStuffer stuffer = new DotStuffer(out);
        stuffer.write(new byte[] {'a'}, 0, 1);
        stuffer.finish();
        assertEquals(List.of("a", "\r\n.\r\n"), pieces);
    }

    private static byte[] stuffed(byte[] bytes, int first, int second) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DotStuffer stuffer = new DotStuffer(out);
        stuffer.write(bytes, 0, first);
        stuffer.write(bytes, first, second);
        stuffer.write(bytes, second, bytes.length);
        stuffer.finish();
        return out.toByteArray();
    }

    private static byte[] randomLines(Random random) {
        StringBuilder message = new StringBuilder();
        for (int line = random.nextInt(8); line > 0; line--) {
            for (int i = random.nextInt(4); i > 0; i--) {
                message.append(".a\u00e9\0".charAt(random.nextInt(4)));
            }
            message.append("\r\n");
        }
        return message.toString().getBytes(ISO_8859_1);
    }

    /// A reader by the letter of RFC 5321 4.5.2, line by line.
    private static String received(byte[] sent) {
        StringBuilder message = new StringBuilder();
        String[] lines = new String(sent, ISO_8859_1).split("\r\n", -1);
        for (int i = 0; i < lines.length - 2; i++) {
            assertFalse(lines[i].equals("."), "ended too early");
            message.append(lines[i].startsWith(".") ? lines[i].substring(1) : lines[i])
                    .append("\r\n");
        }
        assertEquals(".", lines[lines.length - 2]);
        return message.toString();
    }

    private static byte[] bytes(String text) {
        return text.replace("~", "\r\n").getBytes(ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1).replace("\r\n", "~");
    }
}
