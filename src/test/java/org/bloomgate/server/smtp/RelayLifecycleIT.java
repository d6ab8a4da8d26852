package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.nexthop.NextHopDialect;
import org.bloomgate.server.quarantine.Quarantine;
import org.bloomgate.server.quarantine.QuarantineRelease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RelayLifecycleIT {
    @TempDir
    private Path folder;

    @Test
    void shutdown_rejectsIdleSessionsAndFinishesData() throws Exception {
        RelayWorld world = world(Map.of());
        try (TestClient idle = greeted(world);
                TestClient busy = greeted(world)) {
            toData(busy);
            busy.send("Subject: x\r\n");
            CompletableFuture<Void> closed = CompletableFuture.runAsync(world::close);
            assertEquals("421 4.3.2 Service shutting down", idle.line());
            assertEquals(TestClient.CLOSED, idle.line());
            try (TestClient late = new TestClient(world.relay.port())) {
                assertEquals("421 4.3.2 Service shutting down", late.line());
            }
            busy.send(".\r\n");
            assertEquals("250 2.0.0 kept", busy.line());
            assertEquals("421 4.3.2 Service shutting down", busy.line());
            closed.get(30, TimeUnit.SECONDS);
        }
        assertEquals(1, world.nextHop.messages().size());
        assertThrows(ConnectException.class, () -> new TestClient(world.relay.port()));
    }

    @Test
    void nextHopWithoutAnOfferedExtension_defers() throws Exception {
        String mail = "MAIL FROM:<a@from.example> BODY=8BITMIME";
        String rcpt = "RCPT TO:<b@to.example> NOTIFY=NEVER";
        Map<String, Reply> refusals =
                Map.of(mail, Reply.of(555, "5.5.4", "unknown"), rcpt, Reply.of(555, "5.5.4", "unknown"));
        try (RelayWorld world = new RelayWorld(Map.of(), refusals, folder);
                TestClient client = greeted(world)) {
            assertEquals("555 5.5.4 unknown", client.say(mail));
            world.nextHop.nowOffers(new Capabilities(Set.of(), 0));
            assertEquals(Replies.OFFER_CHANGED.toWire(), client.say(mail) + "\r\n");
            assertEquals("250 2.1.0 sender ok", client.say("MAIL FROM:<a@from.example>"));
            assertEquals(Replies.OFFER_CHANGED.toWire(), client.say(rcpt) + "\r\n");
            assertEquals("250 2.1.5 recipient ok", client.say("RCPT TO:<b@to.example>"));
        }
    }

    @Test
    void policyRejection_isKeptWhenOffersChange() throws Exception {
        try (RelayWorld world = new RelayWorld(Map.of(), Map.of(), folder);
                TestClient client = greeted(world)) {
            world.nextHop.nowOffers(new Capabilities(Set.of(), 0));
            assertEquals("250 2.1.0 Ok", client.say("MAIL FROM:<a@listed.example>"));
            String reply = client.say("RCPT TO:<b@to.example>");
            assertTrue(reply.startsWith("550 5.7.1 "), reply);
        }
    }

    @Test
    void sessionBeyondTheDrainTime_isClosed() throws Exception {
        RelayWorld world = world(Map.of("drain", "PT0.05S"));
        try (TestClient busy = greeted(world)) {
            toData(busy);
            world.close();
            assertEquals(TestClient.CLOSED, busy.line());
        }
        assertEquals(0, world.nextHop.messages().size());
        assertEquals(0, world.layers.openLeases());
    }

    @Test
    void sessionsOfOneAddress_areBounded() throws Exception {
        try (RelayWorld world = world(Map.of("maxSessionsPerAddress", "1"))) {
            try (TestClient first = greeted(world);
                    TestClient second = new TestClient(world.relay.port())) {
                assertEquals("421 4.3.2 Too many sessions", second.line());
                assertEquals(TestClient.CLOSED, second.line());
                assertEquals("250 2.0.0 Ok", first.say("NOOP"));
            }
        }
    }

    @Test
    void sessions_areBounded() throws Exception {
        try (RelayWorld world = world(Map.of("maxSessions", "1"))) {
            try (TestClient first = greeted(world);
                    TestClient second = new TestClient(world.relay.port())) {
                assertEquals("421 4.3.2 Too many sessions", second.line());
                assertEquals("250 2.0.0 Ok", first.say("NOOP"));
            }
        }
    }

    @Test
    void droppedClients_leaveNothingBehind() throws Exception {
        RelayWorld world = world(Map.of("memoryBytesPerMessage", "100"));
        for (int i = 0; i < 200; i++) {
            try (TestClient client = greeted(world)) {
                toData(client);
                client.send("x".repeat(1_000));
            }
        }
        world.close();
        assertEquals(0, world.layers.openLeases());
        assertEquals(0, world.nextHop.messages().size());
        assertEquals(0.0, world.metrics.get("bloomgate.smtp.sessions").gauge().value());
        assertEquals(200.0, dropped(world));
        try (var files = Files.list(world.temporary())) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void fullDisk_defers() throws Exception {
        try (RelayWorld world = world(Map.of("memoryBytesPerMessage", "100"))) {
            Files.delete(world.temporary());
            try (TestClient client = greeted(world)) {
                toData(client);
                client.send("x".repeat(1_000) + "\r\n.\r\n");
                assertEquals("452 4.3.1 Insufficient system storage", client.line());
                toData(client);
                client.send("x\r\n.\r\n");
                assertEquals("250 2.0.0 kept", client.line());
            }
            Files.createDirectory(world.temporary());
        }
    }

    @Test
    void quarantinedMessage_isReleasedWithItsArguments() throws Exception {
        try (RelayWorld world = world(Map.of("text", "quarantine"))) {
            String reply;
            try (TestClient client = greeted(world)) {
                client.say("MAIL FROM:<a@from.example> BODY=8BITMIME");
                client.say("RCPT TO:<b@to.example> NOTIFY=NEVER");
                client.say("DATA");
                client.send("Subject: x\r\n\r\nhttp://listed.example/\r\n.\r\n");
                reply = client.line();
            }
            Quarantine quarantine = new Quarantine(world.quarantine());
            String token = quarantine.list().getFirst().token();
            assertEquals("250 2.0.0 Ok: kept as " + token, reply);
            try (QuarantineRelease release = new QuarantineRelease(quarantine, world.nextHop, NextHopDialect.SMTP)) {
                release.release(quarantine.list().getFirst());
            }
            List<String> record = world.nextHop.record();
            assertEquals(
                    List.of("MAIL FROM:<a@from.example> BODY=8BITMIME", "RCPT TO:<b@to.example> NOTIFY=NEVER"),
                    record.subList(record.size() - 3, record.size() - 1));
            String message = new String(world.nextHop.messages().getFirst(), StandardCharsets.ISO_8859_1);
            assertTrue(message.startsWith("Received: from client.example"), message);
            assertEquals(1, message.split("Received: ", -1).length - 1, message);
            assertTrue(message.contains("X-Bloomgate-Token: " + token), message);
            assertTrue(message.endsWith("\r\nSubject: x\r\n\r\nhttp://listed.example/\r\n"), message);
            assertEquals(List.of(), quarantine.list());
        }
    }

    @Test
    void portInUse_isNamed() throws Exception {
        try (RelayWorld world = world(Map.of())) {
            IOException taken =
                    assertThrows(IOException.class, () -> world(Map.of("listen", "127.0.0.1:" + world.relay.port())));
            assertTrue(taken.toString().contains("smtp.listen"), taken.toString());
        }
    }

    @Test
    void stagesAndVerdicts_areCounted() throws Exception {
        RelayWorld world = world(Map.of());
        try (TestClient client = greeted(world)) {
            toData(client);
            client.say(".");
        }
        world.close();
        assertEquals(
                1.0,
                world.metrics
                        .get("bloomgate.messages")
                        .tag("verdict", "clean")
                        .tag("action", "pass")
                        .counter()
                        .count());
        assertEquals(
                1,
                world.metrics
                        .get("bloomgate.stage")
                        .tag("stage", "deliver")
                        .timer()
                        .count());
        assertTrue(world.decisions.getFirst().processing().millis().containsKey("receive"));
    }

    @Test
    void shadowMode_countsTheActionNotEnforced() throws Exception {
        RelayWorld world = world(Map.of("shadow", "on"));
        try (TestClient client = greeted(world)) {
            toData(client);
            client.say("Subject: x\r\n\r\nhttp://listed.example/\r\n.");
        }
        world.close();
        assertEquals(
                1.0,
                world.metrics
                        .get("bloomgate.shadow.messages")
                        .tag("action", "reject")
                        .counter()
                        .count());
    }

    private static double dropped(RelayWorld world) {
        return world.metrics
                .get("bloomgate.smtp.sessions.seen")
                .tag("outcome", "dropped")
                .counter()
                .count();
    }

    private RelayWorld world(Map<String, String> settings) throws IOException {
        return new RelayWorld(settings, Map.of(), folder);
    }

    private static TestClient greeted(RelayWorld world) throws IOException {
        TestClient client = new TestClient(world.relay.port());
        assertEquals("220", client.reply().substring(0, 3));
        client.say("EHLO client.example");
        return client;
    }

    private static void toData(TestClient client) throws IOException {
        client.say("MAIL FROM:<a@from.example>");
        client.say("RCPT TO:<b@to.example>");
        assertEquals("354", client.say("DATA").substring(0, 3));
    }
}
