package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final Duration KEEP = Duration.ofDays(14);
    private static final Duration YEARS = Duration.ofDays(4000);

    private Instant said = NOON;
    private long passed;

    private SteadyClock steady(Optional<Instant> newest) {
        return new SteadyClock(() -> said, () -> passed, newest, KEEP);
    }

    private void pass(Duration time) {
        said = said.plus(time);
        passed += time.toNanos();
    }

    @Test
    void timeThatPassesIsTheClocks() {
        SteadyClock steady = steady(Optional.of(NOON.minus(Duration.ofHours(1))));
        pass(Duration.ofDays(3));
        assertEquals(said, steady.instant());
    }

    @Test
    void aLeapIsBelievedWhenItHasStoodForADay() {
        SteadyClock steady = steady(Optional.empty());
        said = said.plus(YEARS);
        assertEquals(NOON, steady.instant());
        pass(SteadyClock.BELIEVED_AFTER.minusNanos(1));
        assertEquals(NOON.plus(SteadyClock.BELIEVED_AFTER).minusNanos(1), steady.instant());
        pass(Duration.ofNanos(1));
        assertEquals(said, steady.instant());
    }

    @Test
    void aLeapThatIsTakenBackIsForgotten() {
        SteadyClock steady = steady(Optional.empty());
        said = said.plus(YEARS);
        assertEquals(NOON, steady.instant());
        said = said.minus(YEARS);
        assertEquals(NOON, steady.instant());
        said = said.plus(YEARS);
        pass(SteadyClock.BELIEVED_AFTER.minusNanos(1));
        assertEquals(NOON.plus(SteadyClock.BELIEVED_AFTER).minusNanos(1), steady.instant());
    }

    @Test
    void aClockThatGoesBackIsBelieved() {
        SteadyClock steady = steady(Optional.empty());
        said = said.minus(YEARS);
        assertEquals(said, steady.instant());
    }

    @Test
    void aStartAtWhichAllWouldBeTooOldIsALeap() {
        Instant newest = NOON.minus(KEEP).minusSeconds(1);
        SteadyClock steady = steady(Optional.of(newest));
        assertEquals(newest, steady.instant());
        pass(SteadyClock.BELIEVED_AFTER);
        assertEquals(said, steady.instant());
    }
}
