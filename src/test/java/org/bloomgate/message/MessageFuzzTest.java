package org.bloomgate.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Octets at random, and the fixtures with octets changed, cut and doubled: nothing throws, and the same octets give
/// the
/// same answer.
class MessageFuzzTest {
    private static final String ALPHABET = "<>&=\"'/:;.,@#?%()[]{}-+ \r\n\tabhtpsrcfilmnoedux0123456789=?_\\\0\u00e9";

    @Test
    void randomOctets() {
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

    @Test
    void changedFixtures() throws IOException {
        SplittableRandom random = new SplittableRandom(20260103);
        for (byte[] fixture : fixtures()) {
            for (int i = 0; i < 60; i++) {
                readTwice(changed(fixture, random));
            }
        }
    }

    private static List<byte[]> fixtures() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/messages"))) {
            List<Path> messages = files.filter(file -> file.toString().endsWith(".eml"))
                    .sorted()
                    .toList();
            List<byte[]> fixtures = new ArrayList<>();
            for (Path message : messages) {
                fixtures.add(Files.readAllBytes(message));
            }
            return fixtures;
        }
    }

    private static byte[] changed(byte[] fixture, SplittableRandom random) {
        byte[] changed = fixture.clone();
        int changes = 1 + random.nextInt(8);
        for (int i = 0; i < changes; i++) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        }
        int from = random.nextInt(changed.length);
        int to = from + random.nextInt(changed.length - from);
        byte[] spliced = new byte[changed.length + to - from];
        System.arraycopy(changed, 0, spliced, 0, to);
        System.arraycopy(changed, from, spliced, to, changed.length - from);
        return random.nextBoolean() ? spliced : Arrays.copyOf(changed, to);
    }

    private static void readTwice(byte[] message) {
        assertEquals(ReadMessage.of(message), ReadMessage.of(message));
    }
}
