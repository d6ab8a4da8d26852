package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.bloomgate.core.smtp.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What one client may hold of the relay.
@Timeout(60)
class FairSharesIT {
    private static final String MAIL = "MAIL FROM:<a@from.example>";
    private static final String OTHER = "XFORWARD ADDR=192.0.2.7";
    private static final String OK = "250 2.0.0 Ok";
    private static final String TOO_MANY = "451 4.7.0 Too many transactions from your address at once";

    @TempDir
    private Path folder;

    @Test
    void oneClient_hasAtMostHalfOfTheNextHop() throws Exception {
        try (RelayWorld world = world(Map.of());
                TestClient first = client(world);
                TestClient second = client(world)) {
            world.nextHop.nowHasPlaces(2);
            assertEquals("250", first.say(MAIL).substring(0, 3));
            assertEquals(TOO_MANY, second.say(MAIL));
            assertEquals(OK, first.say("RSET"));
            assertEquals("250", second.say(MAIL).substring(0, 3));
        }
    }

    @Test
    void clientsOfATrustedPeer_haveOneShareEach() throws Exception {
        try (RelayWorld world = world(Map.of("trusted", "127.0.0.0/8"));
                TestClient first = client(world);
                TestClient second = client(world);
                TestClient third = client(world);
                TestClient fourth = client(world)) {
            world.nextHop.nowHasPlaces(2);
            assertEquals(OK, first.say(OTHER));
            assertEquals("250", first.say(MAIL).substring(0, 3));
            assertEquals(OK, second.say(OTHER));
            assertEquals(TOO_MANY, second.say(MAIL));
            assertEquals("250", third.say(MAIL).substring(0, 3));
            assertEquals("250", fourth.say(MAIL).substring(0, 3));
        }
    }

    @Test
    void commandsWithoutAMessage_areBounded() throws Exception {
        try (RelayWorld world = world(Map.of());
                TestClient client = client(world)) {
            for (int sent = 1; sent < ClientSession.MAX_IDLE_COMMANDS; sent++) {
                assertEquals(OK, client.say("NOOP"));
            }
            assertEquals("421 4.7.0 Too many commands without a message", client.say("NOOP"));
            assertEquals(TestClient.CLOSED, client.line());
        }
    }

    /// Recipients that are refused by the relay, by the next hop with 5xx and with 4xx, in one transaction and
    /// in many.
    @ParameterizedTest
    @CsvSource({"elsewhere, 554, 1", "to, 550, 1000", "to, 550, 1", "to, 450, 7"})
    void refusedRecipients_endTheSession(String domain, int code, int perTransaction) throws Exception {
        Reply refusal = Reply.of(code, code / 100 + ".1.1", "No such user");
        int refused = 0;
        try (RelayWorld world = new RelayWorld(
                        Map.of("relayDomains", "to.example"), Map.of("RCPT TO:<b@to.example>", refusal), folder);
                TestClient client = client(world)) {
            String reply = "";
            for (int sent = 0; sent < 1_000 && !reply.startsWith("421"); sent++) {
                if (sent % perTransaction == 0) {
                    client.say("RSET");
                    client.say(MAIL);
                }
                reply = client.say("RCPT TO:<b@" + domain + ".example>");
                refused = sent;
            }
            assertEquals("421 4.7.0 Too many recipients were refused", reply);
            assertEquals(TestClient.CLOSED, client.line());
            assertEquals(ClientSession.MAX_REJECTED_RECIPIENTS, refused);
        }
    }

    @Test
    void acceptedMessage_allowsRefusedRecipientsAgain() throws Exception {
        try (RelayWorld world = world(Map.of("relayDomains", "to.example"));
                TestClient client = client(world)) {
            for (int round = 0; round < 3; round++) {
                client.say(MAIL);
                client.say("RCPT TO:<b@to.example>");
                for (int sent = 1; sent < ClientSession.MAX_REJECTED_RECIPIENTS; sent++) {
                    assertEquals(
                            "554", client.say("RCPT TO:<b@elsewhere.example>").substring(0, 3));
                }
                client.say("DATA");
                assertEquals("250 2.0.0 kept", client.say("Subject: x\r\n\r\nbody\r\n."));
            }
        }
    }

    @Test
    void acceptedMessage_resetsTheCommandCount() throws Exception {
        try (RelayWorld world = world(Map.of());
                TestClient client = client(world)) {
            for (int round = 0; round < 3; round++) {
                for (int sent = 1; sent < ClientSession.MAX_IDLE_COMMANDS; sent++) {
                    assertEquals(OK, client.say("RSET"));
                }
                client.say(MAIL);
                client.say("RCPT TO:<b@to.example>");
                client.say("DATA");
                assertEquals("250 2.0.0 kept", client.say("Subject: x\r\n\r\nbody\r\n."));
            }
        }
    }

    @Test
    void chunks_obeyTheRateOfTheWholeMessage() throws Exception {
        try (RelayWorld world = world(Map.of("data", "PT0.3S", "minimumRate", "1000000000", "offers", "CHUNKING"));
                TestClient client = client(world)) {
            client.say(MAIL);
            client.say("RCPT TO:<b@to.example>");
            String reply = "250";
            while (reply.startsWith("250")) {
                client.send("BDAT 1\r\na");
                reply = client.reply();
            }
            assertEquals("421 4.4.2 Timeout", reply);
            assertEquals(0, world.nextHop.messages().size());
        }
    }

    @Test
    void silentTransaction_makesRoomForANewClient() throws Exception {
        try (RelayWorld world = world(Map.of("maxSessions", "1"));
                TestClient silent = client(world)) {
            silent.say(MAIL);
            String greeting = "";
            while (!greeting.startsWith("220")) {
                try (TestClient next = new TestClient(world.relay.port())) {
                    greeting = next.reply();
                }
            }
            assertEquals("421 4.4.2 Timeout", silent.reply());
        }
    }

    @Test
    void idleSession_makesRoomForANewClient() throws Exception {
        try (RelayWorld world = world(Map.of("maxSessions", "2"));
                TestClient idle = client(world);
                TestClient busy = client(world)) {
            busy.say(MAIL);
            String greeting = "";
            while (!greeting.startsWith("220")) {
                try (TestClient next = new TestClient(world.relay.port())) {
                    greeting = next.reply();
                }
            }
            assertEquals("421 4.4.2 Timeout", idle.reply());
            assertEquals(OK, busy.say("NOOP"));
        }
    }

    private RelayWorld world(Map<String, String> settings) throws IOException {
        return new RelayWorld(settings, Map.of(), folder);
    }

    private static TestClient client(RelayWorld world) throws IOException {
        TestClient client = new TestClient(world.relay.port());
        client.reply();
        client.say("EHLO client.example");
        return client;
    }
}
