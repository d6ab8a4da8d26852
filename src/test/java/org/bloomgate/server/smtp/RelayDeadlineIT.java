package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Deadlines are absolute: a client that sends byte after byte does not move them.
@Timeout(60)
class RelayDeadlineIT {
    @TempDir
    private Path folder;

    @Test
    void silentClient_gets421() throws Exception {
        try (RelayWorld world = world(Map.of("command", "PT0.2S"));
                TestClient client = new TestClient(world.relay.port())) {
            assertEquals("220", client.line().substring(0, 3));
            assertEquals("421 4.4.2 Timeout", client.line());
            assertEquals(TestClient.CLOSED, client.line());
        }
    }

    @Test
    void commandSentByteByByte_timesOut() throws Exception {
        try (RelayWorld world = world(Map.of("command", "PT0.3S"));
                TestClient client = new TestClient(world.relay.port())) {
            trickleUntilClosed(client);
            assertEquals("220", client.line().substring(0, 3));
        }
    }

    @Test
    void dataSentByteByByte_timesOut() throws Exception {
        try (RelayWorld world = world(Map.of("data", "PT0.3S", "minimumRate", "1000000000"));
                TestClient client = new TestClient(world.relay.port())) {
            toData(client);
            trickleUntilClosed(client);
            assertEquals(0, world.nextHop.messages().size());
        }
    }

    @Test
    void handshakeSentByteByByte_timesOut() throws Exception {
        try (RelayWorld world = world(Map.of("command", "PT0.3S", "tls", "on"));
                TestClient client = new TestClient(world.relay.port())) {
            client.reply();
            assertEquals("220 2.0.0 Ready to start TLS", client.say("STARTTLS"));
            client.send("\u0016\u0003\u0001@\u0000");
            trickleUntilClosed(client);
        }
    }

    @Test
    void tlsSession_gets421AtShutdown() throws Exception {
        RelayWorld world = world(Map.of("tls", "on"));
        try (TestClient client = new TestClient(world.relay.port())) {
            client.reply();
            client.say("STARTTLS");
            client.startTls();
            assertEquals("250 2.0.0 Ok", client.say("NOOP"));
            world.close();
            String last = client.line();
            assertTrue(last.equals("421 4.3.2 Service shutting down") || last.equals(TestClient.CLOSED), last);
        }
    }

    @Test
    void clientThatSpeaksEarly_gets521() throws Exception {
        try (RelayWorld world = world(Map.of("greetingDelay", "PT20S", "maxSessions", "1"))) {
            for (int i = 0; i < 3; i++) {
                try (TestClient hasty = new TestClient(world.relay.port())) {
                    hasty.send("EHLO client.example\r\nMAIL FROM:<a@from.example>\r\n");
                    assertEquals("521 5.5.1 Protocol error", hasty.line());
                    assertEquals(TestClient.CLOSED, hasty.line());
                }
                awaitNoSession(world);
            }
        }
    }

    @Test
    void clientThatWaitsForTheGreeting_isServed() throws Exception {
        try (RelayWorld world = world(Map.of("greetingDelay", "PT0.05S"));
                TestClient patient = new TestClient(world.relay.port())) {
            toData(patient);
            assertEquals("250 2.0.0 kept", patient.say("Subject: x\r\n\r\nbody\r\n."));
        }
    }

    /// A client sees the end of its session before its place is free.
    private static void awaitNoSession(RelayWorld world) {
        while (world.metrics.get("bloomgate.smtp.sessions").gauge().value() > 0) {
            Thread.onSpinWait();
        }
    }

    private static void trickleUntilClosed(TestClient client) throws IOException {
        try {
            while (true) {
                client.send("a");
                Thread.onSpinWait();
            }
        } catch (SocketException closed) {
            // the relay did not wait for the end of it
        }
    }

    private RelayWorld world(Map<String, String> settings) throws IOException {
        return new RelayWorld(settings, Map.of(), folder);
    }

    private static void toData(TestClient client) throws IOException {
        client.reply();
        client.say("EHLO client.example");
        client.say("MAIL FROM:<a@from.example>");
        client.say("RCPT TO:<b@to.example>");
        assertEquals("354", client.say("DATA").substring(0, 3));
    }
}
