package org.bloomgate.lookup;

import java.util.concurrent.atomic.LongAdder;

/// Running totals of all lookups since start; the metrics read them. Thread-safe without a lock.
public final class LookupCounts {
    private final LongAdder keys = new LongAdder();
    private final LongAdder suspects = new LongAdder();
    private final LongAdder confirmed = new LongAdder();
    private final LongAdder refuted = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder unreadable = new LongAdder();

    void keys(int more) {
        keys.add(more);
    }

    void suspects(int more) {
        suspects.add(more);
    }

    void unreadable() {
        unreadable.increment();
    }

    void answered(ExactAnswer answer) {
        switch (answer) {
            case ExactAnswer.Listed listed -> confirmed.increment();
            case ExactAnswer.NotListed notListed -> refuted.increment();
            case ExactAnswer.Unknown none -> unknown.increment();
        }
    }

    /// Keys probed.
    public long keys() {
        return keys.sum();
    }

    /// Keys that a filter could not rule out.
    public long suspects() {
        return suspects.sum();
    }

    /// Suspects the exact tier holds.
    public long confirmed() {
        return confirmed.sum();
    }

    /// Suspects the exact tier does not hold: the false positives of the filters.
    public long refuted() {
        return refuted.sum();
    }

    /// Suspects about which the exact tier could not answer.
    public long unknown() {
        return unknown.sum();
    }

    /// Batches of keys that went to the exact tier whole because a filter could not be read.
    public long unreadableFilters() {
        return unreadable.sum();
    }
}
