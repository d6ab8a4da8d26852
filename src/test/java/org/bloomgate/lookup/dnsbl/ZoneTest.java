package org.bloomgate.lookup.dnsbl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsReply;
import org.junit.jupiter.api.Test;

class ZoneTest {
    private static final DnsReply LISTED = FakeDns.addresses(60, "127.0.0.2");

    private final FakeDns dns = new FakeDns();
    private final FakeSchedule schedule = new FakeSchedule();
    private final AtomicLong nanos = new AtomicLong(1);
    private final Zone zone = new Zone(
            ZoneSettings.of(FakeDns.ZONE),
            dns.client(nanos::get),
            nanos::get,
            Duration.ofMinutes(10),
            schedule,
            InstantSource.fixed(Instant.EPOCH));
    private final SelfTest test = zone.selfTest();

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private DnsReply ask(String host) {
        return zone.query(host + "." + FakeDns.ZONE).join();
    }

    @Test
    void beforeTheFirstSelfTestQuestionsWait() {
        dns.hold("test");
        test.start();
        dns.set("bad.example", LISTED);
        CompletableFuture<DnsReply> early = zone.query("bad.example." + FakeDns.ZONE);
        assertEquals(1, dns.queried("bad.example"));
        assertFalse(early.isDone());
        dns.release("test", LISTED);
        assertEquals(LISTED, early.join());
    }

    @Test
    void whileTheSelfTestFailsNothingIsBelievedNorAsked() {
        dns.set("bad.example", LISTED);
        dns.set("test", FakeDns.absent(60));
        CompletableFuture<DnsReply> early = zone.query("bad.example." + FakeDns.ZONE);
        test.start();
        DnsReply distrust = new DnsReply.Failed(
                DnsReply.Cause.ERROR, "zone-self-test: dbl.example: TEST is not listed, nor is 127.0.0.2");
        assertEquals(distrust, early.join());
        assertEquals(distrust, ask("bad.example"));
        assertEquals(distrust, ask("other.example"));
        assertEquals(0, dns.queried("other.example"));
        dns.set("test", LISTED);
        schedule.run();
        assertEquals(LISTED, ask("bad.example"));
    }

    @Test
    void whatWasAnsweredBeforeTheSelfTestFailedIsForgotten() {
        test.start();
        assertEquals(FakeDns.absent(60), ask("bad.example"));
        dns.set("test", FakeDns.absent(60));
        schedule.run();
        dns.set("test", LISTED);
        dns.set("bad.example", LISTED);
        schedule.run();
        assertEquals(LISTED, ask("bad.example"));
    }

    @Test
    void failuresInARowBringTheSelfTestForward() {
        test.start();
        for (int i = 1; i < Zone.SUSPICIOUS; i++) {
            dns.set("n" + i + ".example", FakeDns.failed());
            ask("n" + i + ".example");
        }
        ask("clean.example");
        assertEquals(1, dns.queried("test"));
        dns.set("test", FakeDns.failed());
        for (int i = 1; i <= Zone.SUSPICIOUS; i++) {
            dns.set("m" + i + ".example", i % 2 == 0 ? FakeDns.failed() : FakeDns.addresses(60, "192.0.2.1"));
            ask("m" + i + ".example");
        }
        assertEquals(2, dns.queried("test"));
        assertInstanceOf(DnsReply.Failed.class, ask("clean.example"));
    }

    @Test
    void queryBeyondTheBound_isNoFailureOfTheZone() {
        test.start();
        for (int i = 0; i < DnsClient.MAX_QUERIES_OF_ZONE; i++) {
            dns.hold("n" + i + ".example");
            CompletableFuture<DnsReply> _ = zone.query("n" + i + ".example." + FakeDns.ZONE);
        }
        for (int i = 0; i < 2 * Zone.SUSPICIOUS; i++) {
            assertEquals(
                    new DnsReply.Failed(DnsReply.Cause.BOUND, "zone not queried: too many queries in progress"),
                    ask("bad.example"));
        }
        assertEquals(1, dns.queried("test"));
        assertEquals(0, dns.queried("bad.example"));
    }

    @Test
    void questionsAnswersAndTimeAreCounted() {
        test.start();
        dns.set("bad.example", LISTED);
        dns.set("odd.example", FakeDns.addresses(60, "192.0.2.1"));
        dns.set("gone.example", FakeDns.failed());
        dns.hold("slow.example");
        for (String host : List.of("bad.example", "bad.example", "odd.example", "gone.example", "clean.example")) {
            ask(host);
        }
        CompletableFuture<DnsReply> slow = zone.query("slow.example." + FakeDns.ZONE);
        pass(Duration.ofMillis(7));
        dns.release("slow.example", FakeDns.absent(60));
        slow.join();
        ZoneCounts counts = zone.counts();
        assertEquals(
                List.of(5L, 1L, 2L, 2L, 7_000_000L),
                List.of(counts.queries(), counts.listed(), counts.absent(), counts.failed(), counts.nanos()));
    }
}
