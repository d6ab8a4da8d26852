package org.bloomgate.server.quarantine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.nexthop.NextHopDialect;
import org.bloomgate.server.quarantine.QuarantineRelease.Outcome;
import org.bloomgate.server.smtp.BytesInMemory;
import org.bloomgate.server.smtp.RecordingNextHop;
import org.bloomgate.server.smtp.RelayWorld;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuarantineReleaseTest {
    private static final String TOKEN = QuarantineTest.TOKEN;
    private static final String MAIL = "MAIL FROM:<a@from.example> BODY=8BITMIME";
    private static final String RCPT_B = "RCPT TO:<b@to.example> NOTIFY=NEVER";
    private static final String RCPT_C = "RCPT TO:<c@to.example>";
    private static final String DATA = "DATA Received: here\\r\\nSubject: x\\r\\n\\r\\n.body\\r\\n";
    private static final Reply NO = Reply.of(550, "5.1.1", "no such user");
    private static final Reply KEPT = Reply.of(250, "2.0.0", "kept");

    @TempDir
    private Path folder;

    private Quarantine quarantine;

    @BeforeEach
    void keepOne() throws IOException {
        quarantine = new Quarantine(folder);
        quarantine.store(
                QuarantineTest.envelope(TOKEN, RelayWorld.NOW),
                "Received: here\r\n".getBytes(StandardCharsets.US_ASCII),
                new BytesInMemory("Subject: x\r\n\r\n.body\r\n"));
    }

    private static RecordingNextHop hop(Map<String, Reply> replies) {
        return new RecordingNextHop(new Capabilities(Set.of(), 0), replies);
    }

    private List<Outcome> release(RecordingNextHop hop, NextHopDialect dialect) throws IOException {
        try (QuarantineRelease release = new QuarantineRelease(quarantine, hop, dialect)) {
            return release.release(quarantine.list().getFirst());
        }
    }

    private static Outcome outcome(String recipient, Reply reply) {
        return new Outcome(TOKEN, recipient, reply.positive(), reply.text());
    }

    @Test
    void aMessageGoesAsItCameAndIsRemoved() throws IOException {
        RecordingNextHop hop = hop(Map.of());
        assertEquals(
                List.of(outcome("b@to.example", KEPT), outcome("c@to.example", KEPT)),
                release(hop, NextHopDialect.SMTP));
        assertEquals(List.of(MAIL, RCPT_B, RCPT_C, DATA), hop.record());
        assertEquals(
                "Received: here\r\nSubject: x\r\n\r\n.body\r\n",
                new String(hop.messages().getFirst(), ISO_8859_1));
        assertEquals(List.of(), quarantine.list());
        assertFalse(Files.exists(folder.resolve("envelopes", TOKEN + ".json")));
    }

    @Test
    void whoWasRefusedIsStillWaitingForIt() throws IOException {
        assertEquals(
                List.of(outcome("b@to.example", NO), outcome("c@to.example", KEPT)),
                release(hop(Map.of(RCPT_B, NO)), NextHopDialect.SMTP));
        RecordingNextHop again = hop(Map.of());
        assertEquals(List.of(outcome("b@to.example", KEPT)), release(again, NextHopDialect.SMTP));
        assertEquals(List.of(MAIL, RCPT_B, DATA), again.record());
        assertEquals(List.of(), quarantine.list());
    }

    @ParameterizedTest
    @CsvSource({"MAIL FROM:<a@from.example> BODY=8BITMIME", "DATA"})
    void aRefusedMessageStaysAsItWas(String refused) throws IOException {
        QuarantinedMessage before = quarantine.list().getFirst();
        assertEquals(
                List.of(outcome("b@to.example", NO), outcome("c@to.example", NO)),
                release(hop(Map.of(refused, NO)), NextHopDialect.SMTP));
        assertEquals(List.of(before), quarantine.list());
    }

    @Test
    void whenEveryRecipientIsRefusedNoMessageIsSent() throws IOException {
        RecordingNextHop hop = hop(Map.of(RCPT_B, NO, RCPT_C, NO));
        release(hop, NextHopDialect.SMTP);
        assertEquals(List.of(MAIL, RCPT_B, RCPT_C, "END"), hop.record());
        assertEquals(1, quarantine.list().size());
    }

    @Test
    void overLmtpEveryRecipientHasAnAnswerOfItsOwn() throws IOException {
        RecordingNextHop hop = hop(Map.of(RCPT_C, NO));
        assertEquals(
                List.of(outcome("b@to.example", KEPT), outcome("c@to.example", NO)), release(hop, NextHopDialect.LMTP));
        assertEquals(List.of(MAIL, RCPT_B, DATA, MAIL, RCPT_C, "END"), hop.record());
        assertEquals(
                List.of("c@to.example"),
                quarantine.list().getFirst().envelope().orElseThrow().recipients().stream()
                        .map(QuarantineEnvelope.Recipient::address)
                        .toList());
    }

    @Test
    void toSomebodyElseItGoesAsACopy() throws IOException {
        RecordingNextHop hop = hop(Map.of());
        try (QuarantineRelease release = new QuarantineRelease(quarantine, hop, NextHopDialect.SMTP)) {
            QuarantinedMessage before = quarantine.list().getFirst();
            assertEquals(outcome("d@\u00fcber.example", KEPT), release.release(before, "d@\u00fcber.example"));
            assertEquals(List.of(before), quarantine.list());
        }
        assertEquals(List.of(MAIL, "RCPT TO:<d@\u00c3\u00bcber.example>", DATA), hop.record());
    }

    @Test
    void withoutItsEnvelopeItNeedsSomebodyToGoTo() throws IOException {
        Files.delete(folder.resolve("envelopes", TOKEN + ".json"));
        RecordingNextHop hop = hop(Map.of());
        List<Outcome> refused = release(hop, NextHopDialect.SMTP);
        assertFalse(refused.getFirst().delivered());
        try (QuarantineRelease release = new QuarantineRelease(quarantine, hop, NextHopDialect.SMTP)) {
            assertTrue(release.release(quarantine.list().getFirst(), "d@to.example")
                    .delivered());
        }
        assertEquals(List.of("MAIL FROM:<>", "RCPT TO:<d@to.example>", DATA), hop.record());
    }

    @Test
    void thereIsOneReleaseAtATime() throws IOException {
        try (QuarantineRelease first = new QuarantineRelease(quarantine, hop(Map.of()), NextHopDialect.SMTP)) {
            assertThrows(IOException.class, () -> quarantine.lock(Duration.ZERO));
            assertEquals(2, first.release(first.find(TOKEN).orElseThrow()).size());
            assertEquals(Optional.empty(), first.find(TOKEN));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a@b.example,true",
        "postmaster,true",
        "'',false",
        "<a@b.example>,false",
        "a@b.example> NOTIFY=NEVER,false",
        "'a@b.example>\r\nRCPT TO:<c@d.example',false",
        "'a b@c.example',false",
        "'@r.example:a@b.example',false"
    })
    void anAddressIsAMailboxAndNothingElse(String text, boolean address) {
        assertEquals(address, QuarantineRelease.isAddress(text));
    }
}
