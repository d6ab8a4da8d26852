package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkScannerTest {
    private static final String AFTER = "NOOP\r\n";

    /// In chunks and blocks of random size, beside a regular expression.
    @Test
    void whateverComesIsTheMessageAndNoByteMore() {
        SplittableRandom random = new SplittableRandom(21);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(20); i > 0; i--) {
                text.append("\r\n.\r\n\r\na\u00e9".charAt(random.nextInt(9)));
            }
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            ChunkScanner scanner = new ChunkScanner((bytes, from, to) -> message.write(bytes, from, to - from));
            byte[] wire = (text + AFTER).getBytes(ISO_8859_1);
            int at = 0;
            while (at < text.length()) {
                int chunk = 1 + random.nextInt(text.length() - at);
                scanner.expect(chunk);
                int end = at + chunk;
                while (!scanner.ended()) {
                    at = scanner.scan(wire, at, Math.min(wire.length, at + 1 + random.nextInt(9)));
                }
                assertEquals(end, at);
            }
            scanner.finish();
            assertEquals(text.toString().replaceAll("\r\n|\r|\n", "\r\n"), message.toString(ISO_8859_1));
            assertEquals(text.toString().replace("\r\n", "").matches("(?s).*[\r\n].*"), scanner.sawBareLineEnds());
        }
    }

    @Test
    void aChunkOfNothingIsOverAtOnce() {
        ChunkScanner scanner = new ChunkScanner((bytes, from, to) -> {});
        scanner.expect(0);
        assertTrue(scanner.ended());
        scanner.expect(1);
        assertFalse(scanner.ended());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "LAST", "x", "-1", "+1", "1 FIRST", "1LAST", "1 LAST 2", "1,000", "1234567890123456789"})
    void otherArgumentsNameNoLength(String arguments) {
        assertEquals(Optional.empty(), Chunk.parse(arguments));
    }

    @Test
    void lengthAndLastAreRead() {
        assertEquals(Optional.of(new Chunk(0, true)), Chunk.parse("0 LAST"));
        assertEquals(Optional.of(new Chunk(123456789012345678L, false)), Chunk.parse("123456789012345678"));
        assertEquals(Optional.of(new Chunk(7, true)), Chunk.parse("7  last"));
    }
}
