package org.bloomgate.lookup.tier;

import java.util.concurrent.atomic.LongAdder;

/// Running totals of one filter: those of one kind of key in one layer, over all its generations. Thread-safe without
/// a lock.
public final class FilterCounts {
    private final LongAdder keys = new LongAdder();
    private final LongAdder confirmed = new LongAdder();
    private final LongAdder refuted = new LongAdder();
    private final LongAdder unknown = new LongAdder();

    FilterCounts() {}

    void probed(int more) {
        keys.add(more);
    }

    void answered(ExactAnswer answer) {
        switch (answer) {
            case ExactAnswer.Listed listed -> confirmed.increment();
            case ExactAnswer.NotListed notListed -> (notListed.held() ? confirmed : refuted).increment();
            case ExactAnswer.Unknown none -> unknown.increment();
        }
    }

    /// Keys tested in the filter.
    public long keys() {
        return keys.sum();
    }

    /// Positives for which the exact tier was queried: each once a message.
    public long suspects() {
        return confirmed() + refuted() + unknown();
    }

    /// Suspects the exact tier holds, those included that a zone has delisted since: the filter was right.
    public long confirmed() {
        return confirmed.sum();
    }

    /// Suspects the exact tier does not hold: the false positives of this filter.
    public long refuted() {
        return refuted.sum();
    }

    /// Suspects about which the exact tier could not answer.
    public long unknown() {
        return unknown.sum();
    }

    /// The false positive rate there really was: refuted among the keys that are not listed; 0 before the first key.
    public double refutedRate() {
        long unlisted = keys() - confirmed();
        return unlisted <= 0 ? 0 : (double) refuted() / unlisted;
    }
}
