package org.bloomgate.lookup.dnsbl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZoneTest {
    private static final DnsReply LISTED = FakeDns.addresses(60, "127.0.0.2");

    private final FakeDns dns = new FakeDns();
    private final FakeSchedule schedule = new FakeSchedule();
    private final AtomicLong nanos = new AtomicLong(1);
    private final Zone zone = new Zone(
            ZoneSettings.of(FakeDns.ZONE),
            dns,
            1000,
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

    @ParameterizedTest
    @CsvSource({"60, 60", "0, 1", "1, 1", "3600, 3600", "86400, 3600"})
    void answersAreKeptAsLongAsTheirTtlSaysWithinBounds(long ttl, long kept) {
        test.start();
        for (DnsReply reply : List.of(FakeDns.addresses(ttl, "127.0.0.2"), FakeDns.absent(ttl))) {
            String host = reply.getClass().getSimpleName() + ".example";
            dns.set(host, reply);
            assertEquals(reply, ask(host));
            dns.set(host, FakeDns.failed());
            pass(Duration.ofSeconds(kept).minusMillis(1));
            assertEquals(reply, ask(host));
            assertEquals(1, dns.queried(host));
            pass(Duration.ofMillis(1));
            assertEquals(FakeDns.failed(), ask(host));
            assertEquals(2, dns.queried(host));
        }
    }

    @Test
    void failuresAreNotKept() {
        test.start();
        dns.set("bad.example", FakeDns.failed());
        assertEquals(FakeDns.failed(), ask("bad.example"));
        dns.set("bad.example", LISTED);
        assertEquals(LISTED, ask("bad.example"));
    }

    @Test
    void manyWhoWantToKnowAskOnce() {
        test.start();
        dns.hold("bad.example");
        List<CompletableFuture<DnsReply>> all = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            all.add(zone.query("bad.example." + FakeDns.ZONE));
        }
        assertTrue(all.stream().noneMatch(CompletableFuture::isDone));
        dns.release("bad.example", LISTED);
        all.forEach(one -> assertEquals(LISTED, one.join()));
        assertEquals(1, dns.queried("bad.example"));
        assertEquals(1, zone.counts().queries());
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
        DnsReply distrust = new DnsReply.Failed("zone-self-test: dbl.example: TEST is not listed, nor is 127.0.0.2");
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
    void aFloodOfQuestionsIsCutAndNeitherASuspicionNorKept() {
        test.start();
        List<CompletableFuture<DnsReply>> flood = new ArrayList<>();
        for (int i = 0; i < Zone.MAX_QUERIES; i++) {
            dns.hold("n" + i + ".example");
            flood.add(zone.query("n" + i + ".example." + FakeDns.ZONE));
        }
        dns.set("bad.example", LISTED);
        for (int i = 0; i < 2 * Zone.SUSPICIOUS; i++) {
            assertEquals(new DnsReply.Failed("zone not queried: too many queries in progress"), ask("bad.example"));
        }
        assertEquals(1, dns.queried("test"));
        assertEquals(0, dns.queried("bad.example"));
        dns.release("n7.example", LISTED);
        assertEquals(LISTED, flood.get(7).join());
        assertEquals(LISTED, ask("bad.example"));
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
