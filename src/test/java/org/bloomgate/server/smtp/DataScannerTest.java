package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataScannerTest {
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private final DataScanner scanner = new DataScanner((bytes, from, to) -> message.write(bytes, from, to - from));

    static List<EndOfData> sequences() {
        return EndOfData.all();
    }

    @Test
    void allNineteenSequencesAreThere() {
        assertEquals(19, sequences().size());
    }

    @ParameterizedTest
    @MethodSource("sequences")
    void onlyCrlfDotCrlfEndsData(EndOfData sequence) {
        String wire = EndOfData.BEFORE + sequence.bytes() + EndOfData.AFTER;
        int taken = scan(wire, wire.length());
        assertTrue(scanner.ended());
        assertEquals(sequence.whole(), message.toString(ISO_8859_1));
        assertEquals(sequence.bare(), scanner.sawBareLineEnds());
        assertEquals(sequence.ends() ? EndOfData.AFTER : "", wire.substring(taken));
    }

    @ParameterizedTest
    @MethodSource("sequences")
    void itDoesNotMatterHowTheBytesAreSplit(EndOfData sequence) {
        String wire = EndOfData.BEFORE + sequence.bytes() + EndOfData.AFTER;
        for (int block = 1; block < 12; block++) {
            message.reset();
            DataScanner fresh = new DataScanner((bytes, from, to) -> message.write(bytes, from, to - from));
            scan(fresh, wire, block);
            assertTrue(fresh.ended());
            assertEquals(sequence.whole(), message.toString(ISO_8859_1), "blocks of " + block);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".\r\n", "\r\n.\r\n", "a\r\n.\r\n", "..first\r\n.\r\n", "a\r\n..\r\n...\r\n.\r\n"})
    void theTerminatorIsFoundWhereverItIsCut(String wire) {
        String whole = scannedAs(wire, wire.length());
        for (int cut = 0; cut <= wire.length(); cut++) {
            message.reset();
            DataScanner fresh = new DataScanner((bytes, from, to) -> message.write(bytes, from, to - from));
            byte[] bytes = wire.getBytes(ISO_8859_1);
            int taken = fresh.scan(bytes, 0, cut);
            taken += fresh.ended() ? 0 : fresh.scan(bytes, cut, bytes.length) - cut;
            assertTrue(fresh.ended());
            assertEquals(bytes.length, taken);
            assertEquals(whole, message.toString(ISO_8859_1));
        }
    }

    @Test
    void aStuffedDotOnTheFirstLineIsRemoved() {
        assertEquals(".first\r\n", scannedAs("..first\r\n.\r\n", 100));
    }

    @Test
    void aLoneDotIsAnEmptyMessage() {
        assertEquals("", scannedAs(".\r\n", 100));
    }

    @Test
    void withoutATerminatorDataGoesOn() {
        scan("text\r\n.\r", 100);
        assertFalse(scanner.ended());
    }

    /// Whatever is stuffed as RFC 5321 4.5.2 says comes out as it was.
    @Test
    void stuffedTextComesBack() {
        Random random = new Random(5321);
        String alphabet = "ab.. \0\u00e9";
        for (int round = 0; round < 2_000; round++) {
            StringBuilder text = new StringBuilder();
            StringBuilder wire = new StringBuilder();
            for (int line = random.nextInt(6); line > 0; line--) {
                StringBuilder content = new StringBuilder();
                for (int i = random.nextInt(5); i > 0; i--) {
                    content.append(alphabet.charAt(random.nextInt(alphabet.length())));
                }
                text.append(content).append("\r\n");
                wire.append(content.toString().startsWith(".") ? "." : "")
                        .append(content)
                        .append("\r\n");
            }
            assertEquals(text.toString(), scannedAs(wire + ".\r\n", 1 + random.nextInt(9)));
        }
    }

    private String scannedAs(String wire, int block) {
        message.reset();
        DataScanner fresh = new DataScanner((bytes, from, to) -> message.write(bytes, from, to - from));
        assertEquals(wire.length(), scan(fresh, wire, block));
        assertFalse(fresh.sawBareLineEnds());
        return message.toString(ISO_8859_1);
    }

    private int scan(String wire, int block) {
        return scan(scanner, wire, block);
    }

    /// @return bytes taken
    private static int scan(DataScanner scanner, String wire, int block) {
        byte[] bytes = wire.getBytes(ISO_8859_1);
        int at = 0;
        while (at < bytes.length && !scanner.ended()) {
            at = scanner.scan(bytes, at, Math.min(bytes.length, at + block));
        }
        return at;
    }
}
