package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.decision.policy.OverridesFor;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.lookup.tier.Action;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Several listeners of one relay, and what each of them takes for the client.
@Timeout(60)
class ListenersIT {
    private static final String PROXY_LINE = "PROXY TCP4 192.0.2.7 192.0.2.25 4321 25\r\n";
    private static final String PROXY_BINARY =
            "\r\n\r\n\0\r\nQUIT\n!\u0011\0\u000c\u00c0\0\u0002\u0007\u00c0\0\u0002\u0019\u0010\u00e1\0\u0019";
    private static final ListenerOptions.Tls INHERITED =
            new ListenerOptions.Tls(Optional.empty(), Optional.empty(), Optional.empty());

    @TempDir
    private Path folder;

    @Test
    void eachListener_hasItsDomainsAndPolicy() throws Exception {
        ListenerOptions other = new ListenerOptions(
                Optional.of(ListenAddress.of("127.0.0.1:0")),
                INHERITED,
                Optional.of(List.of(RelayDomain.of("own.example"))),
                Optional.empty(),
                Optional.empty(),
                false,
                false,
                OverridesFor.places(Map.of(Place.TEXT, Action.TAG)));
        try (RelayWorld world =
                new RelayWorld(Map.of("relayDomains", "to.example"), Map.of("other", other), Map.of(), folder)) {
            assertEquals("554", sendListed(world.relay.port(), "own.example"));
            assertEquals("550", sendListed(world.relay.port(), "to.example"));
            assertEquals("554", sendListed(world.port("other"), "to.example"));
            assertEquals("250", sendListed(world.port("other"), "own.example"));
            assertEquals(
                    "127.0.0.1:" + world.relay.port(), world.relay.addresses().get("smtp"));
        }
    }

    @Test
    void maxSessions_countsAllListeners() throws Exception {
        try (RelayWorld world = world(Map.of("maxSessions", "1"), plain("127.0.0.1:0"));
                TestClient first = greeted(world.port("other"));
                TestClient second = new TestClient(world.relay.port())) {
            assertEquals("421 4.3.2 Too many sessions", second.line());
            assertEquals("250 2.0.0 Ok", first.say("NOOP"));
        }
    }

    @Test
    void implicitTls_precedesTheGreeting() throws Exception {
        ListenerOptions secure = new ListenerOptions(
                Optional.of(ListenAddress.of("127.0.0.1:0")),
                new ListenerOptions.Tls(Optional.of(TlsMode.IMPLICIT), Optional.empty(), Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.of(List.of(Network.of("127.0.0.1"))),
                true,
                false,
                PolicyOverrides.defaults());
        try (RelayWorld world = world(Map.of("tls", "on"), secure);
                TestClient client = new TestClient(world.port("other"))) {
            client.send(PROXY_LINE);
            client.startTls();
            assertEquals("220 relay.example ESMTP Bloomgate", client.line());
            client.send("EHLO client.example\r\nSTARTTLS\r\n");
            assertEquals("250 SMTPUTF8", client.reply());
            assertEquals("503 5.5.1 TLS already active", client.reply());
            deliver(client, "to.example", "text");
            String message = new String(world.nextHop.messages().getFirst(), StandardCharsets.ISO_8859_1);
            assertTrue(message.startsWith("Received: from client.example ([192.0.2.7])\r\n"), message);
            assertTrue(message.contains(" with ESMTPS id "), message);
        }
    }

    @Test
    void plaintextToImplicitTls_isClosed() throws Exception {
        try (RelayWorld world = new RelayWorld(Map.of("tls", "on", "tlsMode", "implicit"), Map.of(), folder)) {
            try (TestClient client = new TestClient(world.relay.port())) {
                client.send("EHLO client.example\r\n");
                assertTrue(!client.line().startsWith("2"));
            }
        }
    }

    @Test
    void proxyHeader_namesTheClient() throws Exception {
        Map<String, String> settings =
                Map.of("proxyProtocol", "on", "trusted", "127.0.0.0/8", "clientNetworks", "192.0.2.0/24");
        try (RelayWorld world = new RelayWorld(settings, Map.of(), folder)) {
            for (String header : List.of(PROXY_LINE, PROXY_BINARY)) {
                try (TestClient client = new TestClient(world.relay.port())) {
                    client.send(header + "EHLO client.example\r\n");
                    assertEquals("220", client.reply().substring(0, 3));
                    assertEquals("250 SMTPUTF8", client.reply());
                    deliver(client, "anywhere.example", "text");
                }
            }
            for (ClientIdentity client : world.nextHop.clients()) {
                assertEquals(new ClientIdentity("192.0.2.7", 4321, "", "client.example", "ESMTP"), client);
            }
            assertEquals(2, world.nextHop.clients().size());
            try (TestClient client = new TestClient(world.relay.port())) {
                // a health check of the proxy's own is of its own address, which may not relay
                client.send("PROXY UNKNOWN\r\n");
                assertEquals("220", client.reply().substring(0, 3));
                assertEquals("250", client.say("HELO proxy.example").substring(0, 3));
                assertEquals("250", client.say("MAIL FROM:<a@from.example>").substring(0, 3));
                assertEquals("554", client.say("RCPT TO:<b@to.example>").substring(0, 3));
            }
        }
    }

    @Test
    void maxSessionsPerAddress_countsTheProxiedClient() throws Exception {
        Map<String, String> settings =
                Map.of("proxyProtocol", "on", "trusted", "127.0.0.1", "maxSessionsPerAddress", "1");
        try (RelayWorld world = new RelayWorld(settings, Map.of(), folder);
                TestClient one = new TestClient(world.relay.port());
                TestClient again = new TestClient(world.relay.port());
                TestClient other = new TestClient(world.relay.port())) {
            one.send(PROXY_LINE);
            assertEquals("220", one.reply().substring(0, 3));
            again.send(PROXY_BINARY);
            assertEquals("421 4.3.2 Too many sessions", again.line());
            other.send(PROXY_LINE.replace("192.0.2.7", "192.0.2.8"));
            assertEquals("220", other.reply().substring(0, 3));
        }
    }

    @Test
    void proxyHeaderOfUntrustedPeer_isRejected() throws Exception {
        Map<String, String> stranger = Map.of("proxyProtocol", "on", "trusted", "192.0.2.0/24");
        try (RelayWorld world = new RelayWorld(stranger, Map.of(), folder);
                TestClient client = new TestClient(world.relay.port())) {
            client.send(PROXY_LINE);
            assertEquals(TestClient.CLOSED, client.line());
        }
        Map<String, String> proxied = Map.of("proxyProtocol", "on", "trusted", "127.0.0.1");
        try (RelayWorld world = new RelayWorld(proxied, Map.of(), folder);
                TestClient none = new TestClient(world.relay.port());
                TestClient hostile = new TestClient(world.relay.port())) {
            none.send("EHLO client.example\r\n");
            assertEquals(TestClient.CLOSED, none.line());
            hostile.send("PROXY " + "x".repeat(10_000) + "\r\n");
            assertEquals(TestClient.CLOSED, hostile.line());
            assertEquals(
                    0.0, world.metrics.get("bloomgate.smtp.sessions").gauge().value());
        }
    }

    @Test
    void proxiedClient_isNotTrusted() throws Exception {
        Map<String, String> settings = Map.of("proxyProtocol", "on", "trusted", "127.0.0.1");
        try (RelayWorld world = new RelayWorld(settings, Map.of(), folder);
                TestClient client = new TestClient(world.relay.port())) {
            client.send(PROXY_LINE + "EHLO client.example\r\nXCLIENT ADDR=127.0.0.1\r\n");
            assertEquals("220", client.reply().substring(0, 3));
            assertEquals("250 SMTPUTF8", client.reply());
            assertEquals("550 5.7.0 Insufficient authorization", client.reply());
        }
    }

    @Test
    void xforward_appliesToOneMessage() throws Exception {
        try (RelayWorld world = new RelayWorld(Map.of("trusted", "127.0.0.1"), Map.of(), folder);
                TestClient client = greeted(world.relay.port())) {
            client.say("EHLO proxy.example");
            client.say("XFORWARD NAME=mx.client.example ADDR=IPV6:2001:db8::7 PORT=4321 PROTO=SMTP");
            client.say("XFORWARD HELO=client.example IDENT=4bXyz SOURCE=LOCAL");
            deliver(client, "to.example", "http://listed.example/");
            deliver(client, "to.example", "http://listed.example/");
            ClientIdentity first = new ClientIdentity(
                    "2001:db8:0:0:0:0:0:7", 4321, "mx.client.example", "client.example", "SMTP", "4bXyz", "LOCAL");
            assertEquals(first, world.nextHop.clients().getFirst());
            assertEquals("127.0.0.1", world.nextHop.clients().getLast().address());
            assertEquals(
                    "2001:db8:0:0:0:0:0:7",
                    world.decisions.getFirst().connection().client());
            assertEquals(
                    "client.example", world.decisions.getFirst().connection().helo());
            assertEquals("127.0.0.1", world.decisions.getLast().connection().client());
        }
    }

    @Test
    void xclient_isInTheReceivedFieldAndTheLog() throws Exception {
        try (RelayWorld world = new RelayWorld(Map.of("trusted", "127.0.0.1"), Map.of(), folder);
                TestClient client = greeted(world.relay.port())) {
            client.say("XCLIENT NAME=mx.client.example ADDR=IPV6:2001:db8::7 PORT=4321");
            client.say("EHLO client.example");
            deliver(client, "to.example", "text");
            String message = new String(world.nextHop.messages().getFirst(), StandardCharsets.ISO_8859_1);
            assertTrue(
                    message.startsWith(
                            "Received: from client.example (mx.client.example [IPv6:2001:db8:0:0:0:0:0:7])\r\n"),
                    message);
            ClientIdentity told =
                    new ClientIdentity("2001:db8:0:0:0:0:0:7", 4321, "mx.client.example", "client.example", "ESMTP");
            assertEquals(List.of(told), world.nextHop.clients());
        }
    }

    @Test
    void idleTlsSession_gets421AtShutdown() throws Exception {
        for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
            RelayWorld world = new RelayWorld(Map.of("tls", "on"), Map.of(), folder);
            try (TestClient idle = greeted(world.relay.port())) {
                idle.say("EHLO client.example");
                assertEquals("220", idle.say("STARTTLS").substring(0, 3));
                assertEquals("CN=mx.example", subject(idle, protocol));
                idle.say("NOOP");
                CompletableFuture<Void> closed = CompletableFuture.runAsync(world::close);
                assertEquals("421 4.3.2 Service shutting down", idle.line());
                closed.get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static String subject(TestClient client, String protocol) throws Exception {
        return client.startTls(protocol).getSubjectX500Principal().getName().replaceAll(",.*", "");
    }

    private RelayWorld world(Map<String, String> settings, ListenerOptions other) throws IOException {
        return new RelayWorld(settings, Map.of("other", other), Map.of(), folder);
    }

    private static ListenerOptions plain(String listen) {
        return new ListenerOptions(
                Optional.of(ListenAddress.of(listen)),
                INHERITED,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                false,
                PolicyOverrides.defaults());
    }

    private static TestClient greeted(int port) throws IOException {
        TestClient client = new TestClient(port);
        assertEquals("220", client.reply().substring(0, 3));
        return client;
    }

    /// The code of the first refusal, or of the reply to the dot.
    private static String sendListed(int port, String domain) throws IOException {
        try (TestClient client = greeted(port)) {
            client.say("EHLO client.example");
            return deliver(client, domain, "http://listed.example/");
        }
    }

    private static String deliver(TestClient client, String domain, String text) throws IOException {
        assertEquals("250", client.say("MAIL FROM:<a@from.example>").substring(0, 3));
        String rcpt = client.say("RCPT TO:<b@" + domain + ">").substring(0, 3);
        if (!rcpt.equals("250")) {
            return rcpt;
        }
        assertEquals("354", client.say("DATA").substring(0, 3));
        return client.say("Subject: x\r\n\r\n" + text + "\r\n.").substring(0, 3);
    }
}
