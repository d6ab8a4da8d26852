package org.bloomgate.lookup.tier;

import java.util.Optional;
import java.util.function.LongSupplier;

/// How many suspects of the last minute could not be looked up. Thread-safe, by a lock that only suspects take.
final class RecentSuspects {
    /// Fewer suspects are not a sample.
    static final int FEWEST = 20;

    /// Above this share lookups count as degraded.
    static final int MOST_PERCENT = 5;

    private static final int PARTS = 12;
    private static final long PART_NANOS = 5_000_000_000L;

    private final LongSupplier nanos;
    private final long[] part = new long[PARTS];
    private final long[] suspects = new long[PARTS];
    private final long[] unresolved = new long[PARTS];

    RecentSuspects(LongSupplier nanos) {
        this.nanos = nanos;
    }

    synchronized void countAnswer(boolean resolved) {
        long now = nanos.getAsLong() / PART_NANOS;
        int at = Math.floorMod(now, PARTS);
        if (part[at] != now) {
            part[at] = now;
            suspects[at] = 0;
            unresolved[at] = 0;
        }
        suspects[at]++;
        unresolved[at] += resolved ? 0 : 1;
    }

    /// In words how many could not be looked up, if these are many.
    synchronized Optional<String> describeDegradation() {
        long now = nanos.getAsLong() / PART_NANOS;
        long all = 0;
        long failed = 0;
        for (int i = 0; i < PARTS; i++) {
            boolean recent = now - part[i] < PARTS;
            all += recent ? suspects[i] : 0;
            failed += recent ? unresolved[i] : 0;
        }
        boolean many = all >= FEWEST && failed * 100 > all * MOST_PERCENT;
        return many
                ? Optional.of(failed + " of " + all + " suspects of the last minute could not be looked up")
                : Optional.empty();
    }
}
