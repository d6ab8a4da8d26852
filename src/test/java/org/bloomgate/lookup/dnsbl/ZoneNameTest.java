package org.bloomgate.lookup.dnsbl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsQuestion;
import org.bloomgate.lookup.dns.DnsReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZoneNameTest {
    private static final ZoneName KEYED = ZoneName.of("{key}.dbl.example", "Sec-ret1", "environment variable KEY");

    private final FakeSchedule schedule = new FakeSchedule();

    private SelfTest selfTest(ZoneSettings zone, DnsClient dns) {
        return new SelfTest(zone, dns, Duration.ofMinutes(10), schedule, InstantSource.fixed(Instant.EPOCH), () -> {});
    }

    private static DnsClient client(Function<DnsQuestion, DnsReply> answers) {
        return new DnsClient(
                question -> CompletableFuture.completedFuture(answers.apply(question)), Ticker.systemTicker());
    }

    @Test
    void secret_isQueriedAndNotShown() {
        assertEquals("Sec-ret1.dbl.example", KEYED.toQueryName());
        assertEquals("{key}.dbl.example", KEYED.toString());
        assertEquals("no {key}.dbl.example. and {key}", KEYED.masked("no SEC-RET1.dbl.example. and sec-ret1"));
        ZoneSettings zone = new ZoneSettings(KEYED, Set.of(), Optional.empty(), ZoneKeys.NAMES);
        SelfTest failing = selfTest(
                zone, client(question -> new DnsReply.Failed(DnsReply.Cause.ERROR, "unreadable " + question.name())));
        failing.start();
        assertEquals(
                "TEST: zone unreadable test.{key}.dbl.example", failing.status().fault());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a b", "-a", "a-", "ä"})
    void secret_thatIsNoLabel_leavesTheZoneOff(String secret) {
        ZoneName name = ZoneName.of("{key}.dbl.example", secret, "environment variable KEY");
        SelfTest off = selfTest(new ZoneSettings(name, Set.of(), Optional.empty(), ZoneKeys.NAMES), client(question -> {
            throw new AssertionError("queried " + question.name());
        }));
        off.start();
        assertEquals(
                "TEST: no key: environment variable KEY is empty or is not one label of a name",
                off.status().fault());
    }

    @Test
    void dqsZone_needsAKey() {
        assertTrue(ZoneName.needsKey("abc.zen.dq.spamhaus.net"));
        assertFalse(ZoneName.needsKey("{key}.zen.dq.spamhaus.net"));
        assertFalse(ZoneName.needsKey("zen.example"));
    }

    @Test
    void testPoint_replacesTest() {
        FakeDns dns = new FakeDns();
        dns.set("test", FakeDns.absent(60));
        ZoneSettings zone =
                new ZoneSettings(ZoneName.of(FakeDns.ZONE), Set.of(), Optional.of("dbltest.example"), ZoneKeys.NAMES);
        SelfTest test = selfTest(zone, dns.client());
        test.start();
        assertEquals("dbltest.example is not listed", test.status().fault());
        dns.set("dbltest.example", FakeDns.addresses(60, "127.0.1.2"));
        test.start();
        assertEquals(ZoneStatus.State.PASSED, test.status().state());
    }

    @Test
    void networkZone_thatLists127001_fails() {
        FakeDns dns = new FakeDns();
        dns.set("1.0.0.127", FakeDns.addresses(60, "127.0.0.2"));
        SelfTest test = selfTest(
                new ZoneSettings(ZoneName.of(FakeDns.ZONE), Set.of(), Optional.empty(), ZoneKeys.NETWORKS),
                dns.client());
        test.start();
        assertEquals("127.0.0.1 is answered [127.0.0.2]", test.status().fault());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.255.255.254", "127.0.1.255"})
    void refusal_turnsTheZoneOffForTenMinutes(String address) {
        FakeDns dns = new FakeDns();
        Zone zone = new Zone(
                new ZoneSettings(ZoneName.of(FakeDns.ZONE), Set.of("127.0.1.255"), Optional.empty(), ZoneKeys.NAMES),
                dns.client(),
                System::nanoTime,
                Duration.ofMinutes(1),
                schedule,
                InstantSource.fixed(Instant.EPOCH));
        zone.selfTest().start();
        dns.set("a.example", FakeDns.addresses(60, address));
        DnsReply _ = zone.query("a.example." + FakeDns.ZONE).join();
        assertEquals(ZoneStatus.State.FAILED, zone.selfTest().status().state());
        assertEquals(Duration.ofMinutes(10), schedule.delays().getFirst());
    }
}
