package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.EhloExtensions;
import org.bloomgate.server.nexthop.ChangeableNextHop;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.nexthop.NextHopTransaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What changes while the relay runs: its options, its next hop, its certificate.
@Timeout(60)
class RelayReloadIT {
    @TempDir
    private Path folder;

    @Test
    void reload_appliesFromTheNextTransaction() throws Exception {
        try (RelayWorld world = world(Map.of("relayDomains", "to.example"));
                TestClient client = greeted(world)) {
            assertEquals("250", rcpt(client, "b@to.example"));
            world.reload(Map.of("relayDomains", "other.example", "text", "tag"));
            assertEquals("250", client.say("RCPT TO:<c@to.example>").substring(0, 3));
            client.say("RSET");
            assertEquals("554", rcpt(client, "b@to.example"));
            client.say("RSET");
            assertEquals("250", rcpt(client, "b@other.example"));
            assertEquals("354", client.say("DATA").substring(0, 3));
            assertEquals("250 2.0.0 kept", client.say("\r\nhttp://listed.example/\r\n."));
        }
    }

    @Test
    void changedBounds_applyToNewSessions() throws Exception {
        try (RelayWorld world = world(Map.of());
                TestClient client = greeted(world)) {
            world.reload(Map.of("maxSessionsPerAddress", "1"));
            try (TestClient second = new TestClient(world.relay.port())) {
                assertEquals("421 4.3.2 Too many sessions", second.line());
            }
            assertEquals("250 2.0.0 Ok", client.say("NOOP"));
        }
    }

    @Test
    void settingThatNeedsARestart_isUnchanged() throws Exception {
        try (RelayWorld world = world(Map.of())) {
            int port = world.relay.port();
            world.reload(Map.of("listen", "127.0.0.1:2", "maxSessions", "7"));
            assertEquals(port, world.relay.port());
            try (TestClient client = greeted(world)) {
                assertEquals("250 2.0.0 Ok", client.say("NOOP"));
            }
        }
    }

    /// The address stays until a restart, so that what opens the relay on it must not be taken over.
    @Test
    void openRelayOnTheCurrentAddress_isAProblem() throws Exception {
        try (RelayWorld world = world(Map.of("listen", "0.0.0.0:0", "relayDomains", "to.example"))) {
            RelayOptions loopback = RelayOptions.defaults(Path.of("var"));
            List<String> problems = world.relay.findProblems(loopback);
            assertEquals(1, problems.size());
            assertTrue(problems.getFirst().contains("open the relay to everybody"), problems.toString());
        }
    }

    @Test
    void badCertificate_changesNothing() throws Exception {
        Map<String, String> settings = files("ec");
        try (RelayWorld world = world(settings)) {
            Files.writeString(folder.resolve("other.key"), "no key");
            Map<String, String> bad = new HashMap<>(settings);
            bad.put("key", folder.resolve("other.key").toString());
            bad.put("relayDomains", "other.example");
            assertThrows(IOException.class, () -> world.reload(bad));
            try (TestClient client = greeted(world)) {
                assertEquals("250", rcpt(client, "b@to.example"));
            }
        }
    }

    @Test
    void newCertificate_isUsedUnlessThePairIsBad() throws Exception {
        try (RelayWorld world = world(files("ec"));
                TestClient before = greeted(world)) {
            assertEquals("CN=ec.relay.example", subject(before));
            copy("rsa.pem", "server.pem", 1);
            world.relay.reloadCertificates();
            world.relay.reloadCertificates();
            try (TestClient client = greeted(world)) {
                assertEquals("CN=ec.relay.example", subject(client));
            }

            copy("rsa.key", "server.key", 2);
            world.relay.reloadCertificates();
            world.relay.reloadCertificates();
            try (TestClient client = greeted(world)) {
                assertEquals("CN=rsa.relay.example", subject(client));
            }

            Files.delete(folder.resolve("server.key"));
            world.relay.reloadCertificates();
            world.relay.reloadCertificates();
            try (TestClient client = greeted(world)) {
                assertEquals("CN=rsa.relay.example", subject(client));
            }
            assertEquals("250 2.0.0 Ok", before.say("NOOP"));
        }
    }

    @Test
    void replacedNextHop_closesAfterItsLastTransaction() {
        CountingNextHop first = new CountingNextHop();
        CountingNextHop second = new CountingNextHop();
        ChangeableNextHop nextHop = new ChangeableNextHop(first);
        ClientIdentity client = new ClientIdentity("192.0.2.7", 1, "", "", "SMTP");
        NextHopTransaction under = nextHop.begin(client);
        NextHopTransaction way = nextHop.begin(client);
        nextHop.change(second);
        NextHopTransaction later = nextHop.begin(client);
        under.close();
        assertEquals(0, first.closed);
        way.close();
        assertEquals(1, first.closed);
        later.close();
        assertEquals(0, second.closed);
        nextHop.close();
        assertEquals(1, second.closed);
        assertEquals(1, first.closed);
    }

    private static final class CountingNextHop implements NextHop {
        private int closed;

        @Override
        public Capabilities capabilities() {
            return EhloExtensions.NOT_KNOWN;
        }

        @Override
        public NextHopTransaction begin(ClientIdentity client) {
            return new RecordingNextHop(EhloExtensions.NOT_KNOWN, Map.of()).begin(client);
        }

        @Override
        public void close() {
            closed++;
        }
    }

    /// Settings with a certificate that can be replaced.
    private Map<String, String> files(String algorithm) throws Exception {
        copy(algorithm + ".pem", "server.pem", 0);
        copy(algorithm + ".key", "server.key", 0);
        return Map.of(
                "certificate", folder.resolve("server.pem").toString(),
                "key", folder.resolve("server.key").toString());
    }

    private void copy(String from, String to, int version) throws Exception {
        Path file = folder.resolve(to);
        Files.copy(certificate("server-" + from), file, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(
                file, FileTime.from(Instant.parse("2026-01-02T03:04:05Z").plusSeconds(version)));
    }

    private static Path certificate(String name) throws URISyntaxException {
        return Path.of(RelayReloadIT.class.getResource("/tls/" + name).toURI());
    }

    private static String subject(TestClient client) throws Exception {
        client.say("EHLO client.example");
        assertEquals("220", client.say("STARTTLS").substring(0, 3));
        return client.startTls("TLSv1.3").getSubjectX500Principal().getName();
    }

    private static String rcpt(TestClient client, String recipient) throws IOException {
        client.say("HELO client.example");
        assertEquals("250", client.say("MAIL FROM:<a@from.example>").substring(0, 3));
        return client.say("RCPT TO:<" + recipient + ">").substring(0, 3);
    }

    private RelayWorld world(Map<String, String> settings) throws IOException {
        return new RelayWorld(settings, Map.of(), folder);
    }

    private static TestClient greeted(RelayWorld world) throws IOException {
        TestClient client = new TestClient(world.relay.port());
        assertEquals("220", client.reply().substring(0, 3));
        return client;
    }
}
