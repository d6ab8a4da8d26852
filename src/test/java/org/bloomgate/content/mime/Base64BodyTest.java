package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Base64BodyTest {
    private static final String LINK = "http://evil.example/";
    private static final int MOST_STRAY = 64 * 1024;

    private static Base64Body body(String encoded) {
        return new Base64Body(
                new ByteArrayInputStream(encoded.getBytes(StandardCharsets.ISO_8859_1)), MOST_STRAY, block());
    }

    /// As another body left it.
    private static byte[] block() {
        byte[] block = new byte[Workspace.ENCODED_BYTES];
        Arrays.fill(block, (byte) 'Q');
        return block;
    }

    private static String text(InputStream bytes) throws IOException {
        return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void fourDigitsAreDecodedWhereverAPieceOrABlockEnds() throws IOException {
        byte[] content = new byte[200];
        new Random(4).nextBytes(content);
        String encoded = Base64.getEncoder().encodeToString(content);
        for (int piece = 1; piece <= 9; piece++) {
            for (int block = 129; block <= 137; block++) {
                for (int blank = 0; blank <= 4; blank++) {
                    String text = encoded.substring(0, blank) + "\r\n" + encoded.substring(blank);
                    InputStream bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
                    Base64Body body = new Base64Body(bytes, MOST_STRAY, new byte[block]);
                    byte[] decoded = new byte[content.length];
                    int length = 0;
                    for (int read = 0; read >= 0; length += read) {
                        read = body.read(decoded, length, Math.min(piece, decoded.length - length));
                        if (length == decoded.length) {
                            break;
                        }
                    }
                    assertArrayEquals(content, decoded);
                    assertEquals(-1, body.read());
                }
            }
        }
    }

    @Test
    void whatIsEncodedIsDecodedInPiecesOfAnySize() throws IOException {
        Random random = new Random(7);
        for (int length = 0; length < 9000; length += 1 + length / 3) {
            byte[] content = new byte[length];
            random.nextBytes(content);
            InputStream encoded =
                    new ByteArrayInputStream(Base64.getMimeEncoder().encode(content));
            Base64Body body = new Base64Body(new InPieces(encoded, random), MOST_STRAY, block());
            ByteArrayOutputStream decoded = new ByteArrayOutputStream();
            byte[] piece = new byte[1 + random.nextInt(100)];
            for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
                decoded.write(piece, 0, read);
            }
            assertArrayEquals(content, decoded.toByteArray());
            assertFalse(body.hasStrayText());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "YQ==, a",
        "YQ, a",
        "YWI, ab",
        "Y!W-I, ab",
        "YQ==YQ==, aa",
        "'YQ==\r\n\r\nYQ==', aa",
        "Y, ''",
        "=, ''",
        "====YQ, a",
        "'', ''"
    })
    void sloppyBase64IsTakenAsItIsMeant(String encoded, String content) throws IOException {
        assertEquals(content, text(body(encoded)));
    }

    @Test
    void textBehindPaddingEndsTheContentAndIsKept() throws IOException {
        Base64Body body = body("YQ==\r\n-- \r\n" + LINK + "\r\n" + "more. ".repeat(2000));
        assertEquals("a", text(body));
        assertEquals("-- \r\n" + LINK + "\r\n" + "more. ".repeat(2000), text(body.readStrayText()));
    }

    /// As quoted-printable that is declared as base64: an escape looks like padding, and the quote after it is foreign.
    @Test
    void lineAfterPaddingInText_isKept() throws IOException {
        String text = "--b\r\n<a href=3D\"#\">\r\n" + LINK + "\r\n";
        Base64Body body = body(text);
        body.readAllBytes();
        assertTrue(text(body.readStrayText()).contains(LINK));
    }

    @Test
    void aLineOfTextWithinIsKeptWhole() throws IOException {
        for (int before = 4000; before < 4200; before++) {
            Base64Body body = body("A".repeat(before) + "\n" + LINK + "\nYQ==\n");
            body.readAllBytes();
            assertEquals(LINK, text(body.readStrayText()), "behind " + before);
        }
    }

    @Test
    void aLinkThatGoesOnBehindABlockInLettersOfBase64IsKeptWhole() throws IOException {
        String link = "http://evil.example" + "/path".repeat(2000);
        for (int before = 4000; before < 4200; before++) {
            Base64Body body = body("A".repeat(before) + "\n" + link + "\nYQ==\n");
            body.readAllBytes();
            assertEquals(link, text(body.readStrayText()), "behind " + before);
        }
    }

    @Test
    void keptTextHasABoundThatIsTold() throws IOException {
        Base64Body at = body("YQ==\n" + ":".repeat(MOST_STRAY));
        at.readAllBytes();
        assertEquals(MOST_STRAY, at.readStrayText().readAllBytes().length);
        assertFalse(at.isCut());
        Base64Body beyond = body("YQ==\n" + ":".repeat(MOST_STRAY + 1));
        beyond.readAllBytes();
        assertEquals(MOST_STRAY, beyond.readStrayText().readAllBytes().length);
        assertTrue(beyond.isCut());
    }

    /// A stream that gives less than it is asked for.
    static final class InPieces extends InputStream {
        private final InputStream whole;
        private final Random random;

        InPieces(InputStream whole, Random random) {
            this.whole = whole;
            this.random = random;
        }

        @Override
        public int read() throws IOException {
            return whole.read();
        }

        @Override
        public int read(byte[] target, int offset, int wanted) throws IOException {
            return whole.read(target, offset, Math.min(wanted, 1 + random.nextInt(300)));
        }
    }
}
