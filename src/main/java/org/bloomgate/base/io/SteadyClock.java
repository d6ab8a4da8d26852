package org.bloomgate.base.io;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/// A clock for deletion by age: a leap forward of the system clock is accepted only after it has lasted for a
/// day. Until then, time continues from the previous time, or from that of the newest stored item.
///
/// Used by one thread.
public final class SteadyClock implements InstantSource {
    public static final Duration LEAP = Duration.ofHours(1);
    public static final Duration BELIEVED_AFTER = Duration.ofDays(1);

    private final InstantSource clock;
    private final LongSupplier nanos;
    private Instant base;
    private long baseNanos;
    private OptionalLong aheadSince = OptionalLong.empty();

    /// @param nanos elapsed time, such as `System.nanoTime`
    /// @param newest when the newest stored item was written
    /// @param keep how long items are kept: if the clock is further ahead of `newest`, so that all items would
    /// be deleted, it has to stay ahead for a day first
    public SteadyClock(InstantSource clock, LongSupplier nanos, Optional<Instant> newest, Duration keep) {
        this.clock = clock;
        this.nanos = nanos;
        Instant now = clock.instant();
        base = newest.filter(newestTime -> now.isAfter(newestTime.plus(keep))).orElse(now);
        baseNanos = nanos.getAsLong();
    }

    @Override
    public Instant instant() {
        long elapsed = nanos.getAsLong();
        Instant steadyTime = base.plusNanos(elapsed - baseNanos);
        Instant now = clock.instant();
        boolean isAhead = now.isAfter(steadyTime.plus(LEAP));
        if (isAhead && aheadSince.isEmpty()) {
            aheadSince = OptionalLong.of(elapsed);
        }
        if (isAhead && elapsed - aheadSince.getAsLong() < BELIEVED_AFTER.toNanos()) {
            return steadyTime;
        }
        aheadSince = OptionalLong.empty();
        base = now;
        baseNanos = elapsed;
        return now;
    }
}
