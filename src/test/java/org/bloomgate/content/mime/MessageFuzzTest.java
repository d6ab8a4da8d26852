package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Bytes at random: nothing throws, and the same bytes give the same answer.
class MessageFuzzTest {
    private static final String ALPHABET = "<>&=\"'/:;.,@#?%()[]{}-+ \r\n\tabhtpsrcfilmnoedux0123456789=?_\\\0\u00e9";

    @Test
    void randomBytes() {
        SplittableRandom random = new SplittableRandom(20260101);
        for (int i = 0; i < 2000; i++) {
            byte[] message = new byte[random.nextInt(600)];
            random.nextBytes(message);
            readTwice(message);
        }
    }

    @Test
    void randomMarkup() {
        SplittableRandom random = new SplittableRandom(20260102);
        for (int i = 0; i < 3000; i++) {
            StringBuilder message = new StringBuilder(i % 2 == 0 ? "Content-Type: text/html\r\n\r\n" : "From: ");
            int length = random.nextInt(400);
            for (int c = 0; c < length; c++) {
                message.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            readTwice(message.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void readTwice(byte[] message) {
        assertEquals(ReadMessage.of(message), ReadMessage.of(message));
    }
}
