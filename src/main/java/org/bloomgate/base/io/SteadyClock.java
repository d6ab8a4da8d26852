package org.bloomgate.base.io;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/// A clock for deletion by age: a leap forward is accepted only after it has lasted for a day. Until then, time
/// continues from the previous time, or from the newest kept item.
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

    /// @param nanos time that passes, as `System.nanoTime`
    /// @param newest when the newest of what is kept was written
    /// @param keep a pause since then that deletes all of it needs to be believed
    public SteadyClock(InstantSource clock, LongSupplier nanos, Optional<Instant> newest, Duration keep) {
        this.clock = clock;
        this.nanos = nanos;
        Instant now = clock.instant();
        base = newest.filter(kept -> now.isAfter(kept.plus(keep))).orElse(now);
        baseNanos = nanos.getAsLong();
    }

    @Override
    public Instant instant() {
        long passed = nanos.getAsLong();
        Instant steady = base.plusNanos(passed - baseNanos);
        Instant said = clock.instant();
        boolean ahead = said.isAfter(steady.plus(LEAP));
        if (ahead && aheadSince.isEmpty()) {
            aheadSince = OptionalLong.of(passed);
        }
        if (ahead && passed - aheadSince.getAsLong() < BELIEVED_AFTER.toNanos()) {
            return steady;
        }
        aheadSince = OptionalLong.empty();
        base = said;
        baseNanos = passed;
        return said;
    }
}
