package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.QuotedPrintableInputStream;
import org.bloomgate.Rounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuotedPrintableBodyOracleTest {
    /// Whatever the decoder has a rule for, and some of what it has not.
    private static final String ALPHABET =
            "=====\r\n\r\n\r\n  \t\t3D3d0aAxzG._\u000b\u000c\u001c\u0000\u0085\u00a0\u00ff";

    /// Mime4j with the whole body in its buffer: at the end of a block it takes `==` and a line end apart.
    private static final class Whole extends QuotedPrintableInputStream {
        Whole(byte[] encoded) {
            super(encoded.length + 16, new ByteArrayInputStream(encoded), DecodeMonitor.SILENT);
        }
    }

    /// As another body left it.
    static byte[] block() {
        byte[] block = new byte[Workspace.ENCODED_BYTES];
        Arrays.fill(block, (byte) '=');
        return block;
    }

    private static byte[] mime4j(byte[] encoded) throws IOException {
        try (InputStream decoded = new Whole(encoded)) {
            return decoded.readAllBytes();
        }
    }

    private static byte[] inPieces(byte[] encoded, Random random) throws IOException {
        QuotedPrintableBody body = new QuotedPrintableBody(
                new Base64BodyTest.InPieces(new ByteArrayInputStream(encoded), random), block());
        ByteArrayOutputStream decoded = new ByteArrayOutputStream();
        byte[] piece = new byte[1 + random.nextInt(40)];
        for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
            decoded.write(piece, 0, read);
        }
        return decoded.toByteArray();
    }

    private static void assertDecodedAlike(byte[] encoded, Random random) throws IOException {
        byte[] expected = mime4j(encoded);
        byte[] atOnce = new QuotedPrintableBody(new ByteArrayInputStream(encoded), block()).readAllBytes();
        String what = new String(encoded, 0, Math.min(encoded.length, 200), StandardCharsets.ISO_8859_1);
        assertArrayEquals(expected, atOnce, () -> what + " at once");
        assertArrayEquals(expected, inPieces(encoded, random), () -> what + " in pieces");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "a=3Db, a=b",
                "a=3db, a=b",
                "a=\\r\\nb, ab",
                "a=\\nb, ab",
                "a= \\t\\r\\nb, ab",
                "a==\\r\\nb, a=b",
                "a  \\t\\r\\nb, a\\r\\nb",
                "a\\nb, a\\r\\nb",
                "a\\rb, a\\rb",
                "a=4, a=4",
                "a=XYb, a=XYb",
                "a=, a=",
                "==41, =41",
                "a=20\\r\\n, a \\r\\n"
            })
    void malformedSequence_isDecodedLeniently(String encoded, String content) throws IOException {
        byte[] bytes = encoded.translateEscapes().getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(
                content.translateEscapes(),
                new String(
                        new QuotedPrintableBody(new ByteArrayInputStream(bytes), block()).readAllBytes(),
                        StandardCharsets.ISO_8859_1));
        assertArrayEquals(mime4j(bytes), inPieces(bytes, new Random(1)));
    }

    @Test
    void randomShortBody_decodesAsInMime4j() throws IOException {
        Random random = new Random(11);
        for (int round = 0; round < Rounds.of(60_000); round++) {
            byte[] encoded = new byte[random.nextInt(24)];
            for (int i = 0; i < encoded.length; i++) {
                encoded[i] = (byte) ALPHABET.charAt(random.nextInt(ALPHABET.length()));
            }
            assertDecodedAlike(encoded, random);
        }
    }

    @Test
    void bodyOfManyBlocks_decodesAsInMime4j() throws IOException {
        Random random = new Random(12);
        for (int round = 0; round < 200; round++) {
            byte[] encoded = new byte[random.nextInt(20_000)];
            int plain = 1 + random.nextInt(40);
            for (int i = 0; i < encoded.length; i++) {
                encoded[i] =
                        (byte) (random.nextInt(plain) > 0 ? 'a' : ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            assertDecodedAlike(encoded, random);
        }
    }

    /// Most have nothing to decode, and line ends of every sort.
    @ParameterizedTest
    @MethodSource("org.bloomgate.content.mime.FixturesTest#messages")
    void fixtureMessage_decodesAsInMime4j(String name) throws IOException {
        byte[] message = Files.readAllBytes(Path.of("src/test/resources/messages", name));
        assertDecodedAlike(message, new Random(13));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 5000})
    void runOfBlanks_isCutAtItsBound(int more) throws IOException {
        int blanks = QuotedPrintableBody.MAX_PENDING_BYTES + more;
        byte[] run = ("a" + " ".repeat(blanks) + "b").getBytes(StandardCharsets.US_ASCII);
        assertEquals(Math.min(blanks, QuotedPrintableBody.MAX_PENDING_BYTES) + 2, inPieces(run, new Random(14)).length);
        byte[] soft = ("a=" + " ".repeat(blanks) + "\r\nb").getBytes(StandardCharsets.US_ASCII);
        assertEquals("ab", new String(inPieces(soft, new Random(15)), StandardCharsets.US_ASCII));
    }
}
