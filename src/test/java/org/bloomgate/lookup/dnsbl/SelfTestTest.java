package org.bloomgate.lookup.dnsbl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.lookup.dns.DnsReply;
import org.bloomgate.lookup.dnsbl.ZoneStatus.State;
import org.junit.jupiter.api.Test;

class SelfTestTest {
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final FakeDns dns = new FakeDns();
    private final FakeSchedule schedule = new FakeSchedule();
    private int failed;
    private final SelfTest test = new SelfTest(
            ZoneSettings.of(FakeDns.ZONE), dns.client(), INTERVAL, schedule, InstantSource.fixed(NOW), () -> failed++);

    @Test
    void aZoneThatListsTestAndNotInvalidPasses() {
        assertEquals(new ZoneStatus(FakeDns.ZONE, State.UNTESTED, "", NOW), test.status());
        assertFalse(test.first().isDone());
        test.start();
        assertEquals(new ZoneStatus(FakeDns.ZONE, State.PASSED, "", NOW), test.status());
        assertTrue(test.first().isDone());
        assertEquals(List.of(INTERVAL), schedule.delays());
    }

    @Test
    void aZoneThatDoesNotListTestFails() {
        assertFails("test", FakeDns.absent(60), "TEST is not listed, nor is 127.0.0.2");
        assertFails("test", FakeDns.failed(), "TEST: zone silent: no answer in time");
        assertFails("test", FakeDns.addresses(60, "127.0.0.1"), "TEST is answered [127.0.0.1 (query refused)]");
        assertFails("test", FakeDns.addresses(60, "127.0.0.2", "192.0.2.1"), "TEST is answered [127.0.0.2, 192.0.2.1]");
        assertFails(
                "test",
                FakeDns.addresses(60, "127.255.255.254"),
                "TEST is answered [127.255.255.254 (query through a public resolver)]");
    }

    @Test
    void aZoneThatListsInvalidFails() {
        assertFails("invalid", FakeDns.addresses(60, "127.0.0.2"), "INVALID is answered [127.0.0.2]");
        assertFails("invalid", FakeDns.addresses(60, "192.0.2.1"), "INVALID is answered [192.0.2.1]");
        assertFails("invalid", FakeDns.failed(), "INVALID: zone silent: no answer in time");
    }

    private void assertFails(String host, DnsReply reply, String fault) {
        FakeDns other = new FakeDns();
        other.set(host, reply);
        SelfTest failing = new SelfTest(
                ZoneSettings.of(FakeDns.ZONE),
                other.client(),
                INTERVAL,
                new FakeSchedule(),
                InstantSource.fixed(NOW),
                () -> failed++);
        failing.start();
        assertEquals(new ZoneStatus(FakeDns.ZONE, State.FAILED, fault, NOW), failing.status());
        assertTrue(failing.first().isDone());
        assertTrue(failed > 0);
    }

    @Test
    void aFailureIsTriedAgainSoonerThenLessOftenAndRecoveryEndsThat() {
        dns.set("test", FakeDns.failed());
        test.start();
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            delays.add(schedule.delays().getFirst().toSeconds());
            schedule.run();
        }
        assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L), delays);
        dns.set("test", FakeDns.addresses(60, "127.0.0.2"));
        schedule.run();
        assertEquals(State.PASSED, test.status().state());
        assertEquals(List.of(INTERVAL), schedule.delays());
        dns.set("test", FakeDns.failed());
        schedule.run();
        assertEquals(List.of(Duration.ofSeconds(1)), schedule.delays());
    }

    @Test
    void noRetryIsLaterThanTheNextTestWouldBe() {
        dns.set("test", FakeDns.failed());
        SelfTest often = new SelfTest(
                ZoneSettings.of(FakeDns.ZONE),
                dns.client(),
                Duration.ofSeconds(3),
                schedule,
                InstantSource.fixed(NOW),
                () -> failed++);
        often.start();
        schedule.run();
        schedule.run();
        schedule.run();
        assertEquals(List.of(Duration.ofSeconds(3)), schedule.delays());
    }

    @Test
    void oneTestIsUnderWayAtATime() {
        dns.hold("test");
        test.start();
        test.start();
        assertEquals(1, dns.queried("test"));
        dns.release("test", FakeDns.addresses(60, "127.0.0.2"));
        test.start();
        assertEquals(2, dns.queried("test"));
        assertEquals(List.of(INTERVAL), schedule.delays());
    }

    @Test
    void afterTheEndNothingIsAsked() {
        test.start();
        test.stop();
        test.start();
        assertEquals(1, dns.queried("test"));
        assertEquals(List.of(), schedule.delays());
    }
}
