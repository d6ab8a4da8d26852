package org.bloomgate.decision.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.authentication.AuthenticationDns.OfMessage;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;
import org.junit.jupiter.api.Test;

class AuthenticationDnsTest {
    private static final Duration LONG = Duration.ofSeconds(5);
    private static final DnsReply FOUND = new DnsReply.Found(List.of("v=DKIM1"), Duration.ofMinutes(1));

    private final List<String> sent = new ArrayList<>();
    private boolean silent;
    private final AuthenticationDns dns = new AuthenticationDns(new DnsClient(
            question -> {
                sent.add(question.name() + " " + question.type());
                return silent
                        ? new CompletableFuture<>()
                        : CompletableFuture.completedFuture(
                                question.name().startsWith("x") ? FOUND : new DnsReply.Absent(Duration.ofMinutes(1)));
            },
            Ticker.systemTicker()));

    private static void assertFails(DnsReply.Cause cause, DnsReply reply) {
        assertEquals(cause, assertInstanceOf(DnsReply.Failed.class, reply).cause());
    }

    private OfMessage open(String domain) {
        return dns.open(PublicSuffixes.bundled(), domain, LONG).orElseThrow();
    }

    @Test
    void equalQuestions_areOneQuery() {
        try (OfMessage one = open("partner.example");
                OfMessage other = open("partner.example")) {
            assertEquals(FOUND, one.query("x.Partner.example", RecordType.TXT));
            assertEquals(FOUND, other.query("X.partner.example.", RecordType.TXT));
            assertInstanceOf(DnsReply.Absent.class, other.query("a.partner.example", RecordType.A));
            assertEquals(List.of("x.partner.example TXT", "a.partner.example A"), sent);
            assertEquals(2, other.queries());
        }
    }

    @Test
    void queriesOfAMessage_atBoundAndBeyond() {
        try (OfMessage message = open("partner.example")) {
            for (int i = 0; i < AuthenticationDns.MAX_QUERIES; i++) {
                assertInstanceOf(DnsReply.Absent.class, message.query(i + ".d" + i + ".example", RecordType.A));
            }
            assertFails(DnsReply.Cause.BOUND, message.query("x.example", RecordType.A));
        }
    }

    @Test
    void randomNamesOfADomain_leaveRoomForItsKnownOnes() {
        try (OfMessage first = open("partner.example")) {
            assertEquals(FOUND, first.query("x.partner.example", RecordType.TXT));
        }
        try (OfMessage flood = open("partner.example")) {
            for (int i = 1; i < AuthenticationDns.MAX_QUERIES_PER_DOMAIN; i++) {
                assertInstanceOf(DnsReply.Absent.class, flood.query(i + ".partner.example", RecordType.TXT));
            }
            assertFails(DnsReply.Cause.BOUND, flood.query("more.partner.example", RecordType.TXT));
        }
        try (OfMessage other = open("partner.example")) {
            assertEquals(FOUND, other.query("x.partner.example", RecordType.TXT));
            assertInstanceOf(DnsReply.Absent.class, other.query("a.stranger.example", RecordType.TXT));
        }
    }

    @Test
    void messagesOfADomain_atBoundAndBeyond() {
        List<OfMessage> open = new ArrayList<>();
        for (int i = 0; i < AuthenticationDns.MAX_MESSAGES_PER_DOMAIN; i++) {
            open.add(open("mail" + i + ".partner.example"));
        }
        assertTrue(dns.open(PublicSuffixes.bundled(), "partner.example", LONG).isEmpty());
        for (int i = open.size(); i < AuthenticationDns.MAX_MESSAGES; i++) {
            open.add(open("d" + i + ".example"));
        }
        assertTrue(dns.open(PublicSuffixes.bundled(), "other.example", LONG).isEmpty());
        open.forEach(OfMessage::close);
        open("partner.example").close();
    }

    @Test
    void silence_endsWithTheDeadline() {
        silent = true;
        try (OfMessage message = dns.open(PublicSuffixes.bundled(), "partner.example", Duration.ofMillis(1))
                .orElseThrow()) {
            assertFails(DnsReply.Cause.TIMEOUT, message.query("x.partner.example", RecordType.TXT));
        }
    }
}
