package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// No sequence that some server takes for the end of DATA gets a second message past the relay.
class EndOfDataIT {
    @TempDir
    private Path folder;

    static List<EndOfData> sequences() {
        return EndOfData.all();
    }

    @ParameterizedTest
    @MethodSource("sequences")
    void normalizingRelaysOneMessageWithoutABareLineEnd(EndOfData sequence) throws IOException {
        try (RelayWorld world = new RelayWorld(Map.of("offers", "8BITMIME"), Map.of(), folder)) {
            try (TestClient client = atData(world)) {
                client.send(EndOfData.BEFORE + sequence.bytes() + EndOfData.AFTER);
                assertEquals("250 2.0.0 kept", client.reply());
                if (sequence.ends()) {
                    assertEquals("250 2.1.0 sender ok", client.reply(), "an ordinary, visible command");
                    assertEquals("250 2.1.5 recipient ok", client.reply());
                    assertEquals("354", client.reply().substring(0, 3));
                    assertEquals("250 2.0.0 kept", client.reply());
                }
                assertEquals("250 2.0.0 Ok", client.say("NOOP"));
            }
            assertEquals(sequence.ends() ? 2 : 1, world.nextHop.messages().size());
            String first = new String(world.nextHop.messages().getFirst(), ISO_8859_1);
            assertTrue(first.endsWith("\r\n" + sequence.whole()), first);
            assertEquals(first, first.replaceAll("(?<!\r)\n|\r(?!\n)", "?"));
        }
    }

    @ParameterizedTest
    @MethodSource("sequences")
    void rejectingAnswers550AndCloses(EndOfData sequence) throws IOException {
        try (RelayWorld world = new RelayWorld(Map.of("bareLineEnds", "reject"), Map.of(), folder)) {
            try (TestClient client = atData(world)) {
                client.send(EndOfData.BEFORE + sequence.bytes() + EndOfData.AFTER);
                String reply = client.reply();
                if (sequence.bare()) {
                    assertEquals("550 5.5.2", reply.substring(0, 9));
                    assertEquals(TestClient.CLOSED, client.line());
                } else {
                    assertEquals("250 2.0.0 kept", reply);
                }
            }
            assertEquals(sequence.bare() ? 0 : 1, world.nextHop.messages().size());
        }
    }

    private static TestClient atData(RelayWorld world) throws IOException {
        TestClient client = new TestClient(world.relay.port());
        client.reply();
        client.say("EHLO client.example");
        client.say("MAIL FROM:<good@x.example>");
        client.say("RCPT TO:<r@y.example>");
        assertEquals("354", client.say("DATA").substring(0, 3));
        return client;
    }
}
