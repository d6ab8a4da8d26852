package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.bloomgate.Rounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whatever a message holds arrives as it was under one Received field.
class TransparencyIT {
    private static final int MESSAGES = Rounds.of(120);

    @TempDir
    private Path folder;

    @Test
    @Timeout(60)
    void anyMessage_arrivesUnchangedBelowReceived() throws IOException {
        Random random = new Random(7);
        try (RelayWorld world = new RelayWorld(Map.of("memoryBytesPerMessage", "20000"), Map.of(), folder);
                TestClient client = new TestClient(world.relay.port())) {
            client.reply();
            client.say("EHLO client.example");
            for (int i = 0; i < MESSAGES; i++) {
                String message = message(random, i % 6);
                client.say("MAIL FROM:<a@from.example>");
                client.say("RCPT TO:<b@to.example>");
                client.say("DATA");
                client.send(message.replaceAll("(?<=\\A|\r\n)\\.", "..") + ".\r\n");
                assertEquals("250 2.0.0 kept", client.reply());
                String relayed = new String(world.nextHop.messages().getLast(), ISO_8859_1);
                assertTrue(relayed.startsWith("Received: from client.example ([127.0.0.1])\r\n\tby relay.example"));
                String below = relayed.substring(relayed.indexOf("+0000\r\n") + 7);
                String stray = message.matches("(?s)[ \t].*") ? "X-Bloomgate-Stray:" : "";
                assertEquals(RelayScript.escaped(stray + message), RelayScript.escaped(below));
            }
        }
    }

    private static String message(Random random, int kind) {
        return switch (kind) {
            case 0 -> "";
            case 1 -> lines(random, ".. ab\t", 40);
            case 2 -> "Subject: x\r\n\r\n" + bytes(random, 60_000) + "\r\n";
            case 3 -> "." + lines(random, "\0\u0001\u007f\u00ff. ", 200);
            case 4 -> "Subject: x\r\nReceived: from x\r\n\r\n" + lines(random, "abc\u00c3\u00bc. ", 3_000);
            default ->
                "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n" + lines(random, "abc. ", 50)
                        + "--b--\r\n";
        };
    }

    private static String lines(Random random, String alphabet, int count) {
        StringBuilder text = new StringBuilder();
        for (int line = random.nextInt(count); line >= 0; line--) {
            for (int i = random.nextInt(80); i > 0; i--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            text.append("\r\n");
        }
        return text.toString();
    }

    private static String bytes(Random random, int count) {
        StringBuilder text = new StringBuilder();
        while (text.length() < count) {
            char b = (char) random.nextInt(256);
            if (b != '\r' && b != '\n') {
                text.append(b);
            }
        }
        return text.toString();
    }
}
