package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.decision.journal.Decision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of mail because of who hands it over.
@Timeout(60)
class ConnectingClientIT {
    private static final String LISTED = "XCLIENT ADDR=198.51.100.9";
    private static final String UNLISTED = "XCLIENT ADDR=203.0.113.9";

    @TempDir
    private Path folder;

    private RelayWorld world(Map<String, String> settings) throws Exception {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("trusted", "127.0.0.1");
        return new RelayWorld(all, Map.of(), folder);
    }

    /// Replies to RCPT for these recipients, after the lines given.
    private static List<String> replies(RelayWorld world, List<String> lines, String... recipients) throws Exception {
        try (TestClient client = new TestClient(world.relay.port())) {
            client.reply();
            for (String line : lines) {
                client.say(line);
            }
            client.say("MAIL FROM:<ann@from.example>");
            return Arrays.stream(recipients)
                    .map(recipient -> code(client, "RCPT TO:<" + recipient + ">"))
                    .toList();
        }
    }

    private static String code(TestClient client, String line) {
        try {
            return client.say(line).substring(0, 3);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "XCLIENT ADDR=198.51.100.9|EHLO client.example",
                "XCLIENT ADDR=IPV6:2001:db8:bad::7|EHLO client.example",
                "XCLIENT ADDR=IPV6:::ffff:198.51.100.9|EHLO client.example",
                "EHLO proxy.example|XFORWARD ADDR=198.51.100.9",
                "XCLIENT ADDR=203.0.113.9|EHLO mx.listed.example",
                "XCLIENT ADDR=203.0.113.9 NAME=host.listed.example|EHLO client.example",
                "EHLO proxy.example|XFORWARD ADDR=203.0.113.9 HELO=listed.example"
            })
    void listedClient_isRejectedAtRcptExceptForPostmaster(String lines) throws Exception {
        try (RelayWorld world = world(Map.of())) {
            assertEquals(
                    List.of("550", "250", "550"),
                    replies(
                            world,
                            List.of(lines.split("\\|")),
                            "bob@to.example",
                            "postmaster@to.example",
                            "eve@to.example"));
        }
    }

    @Test
    void decisionOfARejectedClient_hasTheEnvelope() throws Exception {
        try (RelayWorld world = world(Map.of())) {
            assertEquals(List.of("550"), replies(world, List.of(LISTED, "EHLO client.example"), "bob@to.example"));
            world.relay.close();
            Decision decision = world.decisions.getFirst();
            assertEquals("198.51.100.9", decision.connection().client());
            assertEquals(List.of("bob@to.example"), decision.envelope().recipients());
            assertEquals("reject", decision.outcome().action());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EHLO listed.example",
                "XCLIENT ADDR=198.51.100.9 LOGIN=ann|EHLO listed.example",
                "XCLIENT ADDR=203.0.113.9|EHLO client.example",
                "XCLIENT ADDR=10.1.2.3|EHLO listed.example",
                "XCLIENT ADDR=192.0.2.40|EHLO listed.example"
            })
    void usersOfTheSite_areNotLookedUp(String lines) throws Exception {
        try (RelayWorld world =
                world(Map.of("clientNetworks", "127.0.0.1,192.0.2.32/27", "relayDomains", "to.example"))) {
            assertEquals(List.of("250"), replies(world, List.of(lines.split("\\|")), "bob@to.example"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"relay.example", "RELAY.example.", "[127.0.0.1]", "203.0.113.9", "a..b", "-x.example", "[x]"})
    void invalidOrOwnHeloName_isTagged(String helo) throws Exception {
        assertTrue(delivered("EHLO " + helo).contains("X-Bloomgate-Reason: HELO with"));
        try (RelayWorld world = world(Map.of("helo.ownName", "reject", "helo.syntax", "reject"))) {
            assertEquals(List.of("550"), replies(world, List.of(UNLISTED, "EHLO " + helo), "bob@to.example"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"client.example", "WIN_PC", "[203.0.113.9]", "[IPv6:2001:db8::9]", "x--y.example"})
    void otherHeloName_isNotTagged(String helo) throws Exception {
        assertFalse(delivered("EHLO " + helo).contains("X-Bloomgate"));
    }

    /// The message as the next hop gets it.
    private String delivered(String ehlo) throws Exception {
        try (RelayWorld world = world(Map.of());
                TestClient client = new TestClient(world.relay.port())) {
            client.reply();
            client.say(UNLISTED);
            client.say(ehlo);
            client.say("MAIL FROM:<ann@from.example>");
            client.say("RCPT TO:<bob@to.example>");
            client.say("DATA");
            assertEquals("250", code(client, "Subject: x\r\n\r\ntext\r\n."));
            return new String(world.nextHop.messages().getLast(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void feedThatRejectsAtConnect_answers554() throws Exception {
        try (RelayWorld world = world(Map.of("atConnect", "sample", "proxyProtocol", "true"))) {
            assertEquals("554", greeting(world, "198.51.100.9"));
            assertEquals("220", greeting(world, "203.0.113.9"));
        }
        try (RelayWorld world = world(Map.of("atConnect", "other", "proxyProtocol", "true"))) {
            assertEquals("220", greeting(world, "198.51.100.9"));
        }
    }

    private static String greeting(RelayWorld world, String address) throws Exception {
        try (TestClient client = new TestClient(world.relay.port())) {
            return client.say("PROXY TCP4 " + address + " 192.0.2.25 4321 25").substring(0, 3);
        }
    }

    @Test
    void lastHopOutsideTheSite_isTagged() throws Exception {
        try (RelayWorld world = world(Map.of());
                TestClient client = new TestClient(world.relay.port())) {
            client.reply();
            client.say("EHLO client.example");
            client.say("MAIL FROM:<ann@from.example>");
            client.say("RCPT TO:<bob@to.example>");
            client.say("DATA");
            client.say("""
                    Received: from mx.example (mx.example [10.0.0.1]) by in.example; x
                    Received: from [203.0.113.1] (bad.example [198.51.100.9])
                     by mx.example; x
                    Subject: x

                    text
                    .""".replace("\n", "\r\n"));
            String message = new String(world.nextHop.messages().getFirst(), StandardCharsets.ISO_8859_1);
            assertTrue(message.contains("X-Bloomgate-Verdict: listed"), message);
        }
    }

    @Test
    void networkBeyondItsRate_gets421() throws Exception {
        try (RelayWorld world = world(Map.of("connectionsPerMinute", "2"))) {
            assertEquals(List.of("220", "220", "421"), List.of(greeting(world), greeting(world), greeting(world)));
        }
        try (RelayWorld world = world(Map.of("messagesPerMinute", "1"))) {
            assertEquals(List.of("250"), replies(world, List.of(UNLISTED, "EHLO client.example"), "bob@to.example"));
            try (TestClient client = new TestClient(world.relay.port())) {
                client.reply();
                client.say("XCLIENT ADDR=203.0.113.77");
                client.say("EHLO client.example");
                assertEquals("421", code(client, "MAIL FROM:<ann@from.example>"));
            }
        }
    }

    private static String greeting(RelayWorld world) throws Exception {
        try (TestClient client = new TestClient(world.relay.port())) {
            return client.reply().substring(0, 3);
        }
    }
}
