package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.JournalOptions;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.nexthop.NextHopOptions;
import org.bloomgate.server.nexthop.NextHops;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A message from the client's socket through reader, lookup, policy and next hop into a mailbox, with its decision
/// in the journal: two relays in a row, the second of which delivers.
@Timeout(60)
class MessageJourneyIT {
    private static final String CLEAN = "From: a@from.example\r\nSubject: x\r\n\r\nhttp://good.example/\r\n";
    private static final String LISTED = """
        Subject: x
        Content-Type: text/html; charset=utf-8
        Content-Transfer-Encoding: base64

        PGEgaHJlZj0iaHR0cDovL3d3dy5saXN0ZWQuZXhhbXBsZS8iPmxvb2s8L2E+
        """.replace("\n", "\r\n");

    @TempDir
    private Path folder;

    private JsonDecisionJournal journal;
    private NextHop mailbox;
    private NextHop inner;
    private Relay last;
    private Relay first;

    @BeforeEach
    void startBothRelays() throws IOException {
        journal = new JsonDecisionJournal(
                new JournalOptions(
                        folder.resolve("decisions"), 1, 1 << 20, true, KeyJournalOptions.defaults(Path.of("var"))),
                InstantSource.system());
        mailbox = NextHops.open("maildir:" + folder.resolve("mail"), NextHopOptions.defaults());
        last = relay(mailbox, ListedDomains.withoutSnapshot());
        last.start();
        inner = NextHops.open("smtp://127.0.0.1:" + last.port(), NextHopOptions.defaults());
        first = relay(inner, ListedDomains.inForce());
        first.start();
    }

    @AfterEach
    void stopBothRelays() {
        first.close();
        inner.close();
        last.close();
        mailbox.close();
        journal.close();
    }

    @Test
    void cleanMessage_arrivesWithTraceFields() throws Exception {
        try (TestClient client = new TestClient(first.port())) {
            assertEquals("250", send(client, "a@from.example", CLEAN).substring(0, 3));
        }
        List<Path> mail = mail();
        assertEquals(1, mail.size());
        String message = Files.readString(mail.getFirst());
        assertTrue(message.endsWith("\r\n" + CLEAN), message);
        assertEquals(2, message.split("Received: from ", -1).length - 1, message);
    }

    @Test
    void listedLink_isRejectedWithItsToken() throws Exception {
        String reply;
        try (TestClient client = new TestClient(first.port())) {
            reply = send(client, "a@from.example", LISTED);
        }
        assertTrue(reply.startsWith("550 5.7.1 Message refused by policy, token "), reply);
        Decision decision = decisionOf(reply);
        assertEquals("reject", decision.outcome().action());
        assertEquals(
                "listed.example", decision.content().lookup().found().getFirst().key());
        assertEquals(List.of("b@to.example"), decision.envelope().recipients());
        assertEquals(List.of(), mail());
    }

    @Test
    void hostLongWhenFolded_isEvaluated() throws Exception {
        String host = "%EF%B7%BA".repeat(330);
        try (TestClient client = new TestClient(first.port())) {
            String clean = "Subject: x\r\n\r\nhttp://" + host + ".good.example/\r\n";
            assertEquals("250", send(client, "a@from.example", clean).substring(0, 3));
        }
        try (TestClient client = new TestClient(first.port())) {
            String listed = "Subject: x\r\n\r\nhttp://" + host + ".listed.example/\r\n";
            String reply = send(client, "a@from.example", listed);
            assertTrue(reply.startsWith("550 5.7.1"), reply);
            assertEquals(
                    "listed.example",
                    decisionOf(reply).content().lookup().found().getFirst().key());
        }
    }

    @Test
    void listedSender_isRejectedAndTheSessionContinues() throws Exception {
        try (TestClient client = new TestClient(first.port())) {
            String reply = send(client, "a@listed.example", CLEAN);
            assertTrue(reply.startsWith("550 5.7.1"), reply);
            client.say("RSET");
            assertEquals("a@listed.example", decisionOf(reply).envelope().mailFrom());
            assertEquals("250", send(client, "a@from.example", CLEAN).substring(0, 3));
        }
        assertEquals(1, mail().size());
    }

    /// The reply to the dot, or to the recipient when that is refused.
    private static String send(TestClient client, String sender, String message) throws IOException {
        client.send("EHLO client.example\r\n");
        String reply = client.reply();
        while (reply.startsWith("220")) {
            reply = client.reply();
        }
        client.say("MAIL FROM:<" + sender + ">");
        reply = client.say("RCPT TO:<b@to.example>");
        if (!reply.startsWith("250")) {
            return reply;
        }
        client.say("DATA");
        return client.say(message + ".");
    }

    private Decision decisionOf(String reply) {
        String token = reply.substring(reply.lastIndexOf(' ') + 1);
        return journal.find(token).orElseThrow();
    }

    private List<Path> mail() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("mail").resolve("new"))) {
            return files.toList();
        }
    }

    private Relay relay(NextHop nextHop, ListedDomains layers) throws IOException {
        RelayOptions options =
                RecordCopy.with(RelayOptions.defaults(Path.of("var")), "listen", ListenAddress.of("127.0.0.1:0"));
        options = RecordCopy.with(options, "hostname", "relay.example");
        options = RecordCopy.with(options, "temporary", folder.resolve("tmp"));
        return new Relay(
                options,
                nextHop,
                layers,
                RelayWorld.evaluator(options),
                RelayWorld.records(journal, new SimpleMeterRegistry(), folder),
                new SimpleMeterRegistry());
    }
}
