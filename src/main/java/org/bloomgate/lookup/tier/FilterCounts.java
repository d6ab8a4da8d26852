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

    void countProbes(int more) {
        keys.add(more);
    }

    void countAnswer(ExactAnswer answer) {
        switch (answer) {
            case ExactAnswer.Listed _ -> confirmed.increment();
            case ExactAnswer.NotListed notListed -> (notListed.held() ? confirmed : refuted).increment();
            case ExactAnswer.Unknown _ -> unknown.increment();
        }
    }

    /// Keys tested in the filter.
    public long keys() {
        return keys.sum();
    }

    /// Positives that were looked up in the exact tier: each once a message.
    public long suspects() {
        return confirmed() + refuted() + unknown();
    }

    /// Suspects that the exact tier contains, also those that a zone has delisted since: the filter was right.
    public long confirmed() {
        return confirmed.sum();
    }

    /// Suspects that the exact tier does not contain: the false positives of this filter.
    public long refuted() {
        return refuted.sum();
    }

    /// Suspects about which the exact tier could not answer.
    public long unknown() {
        return unknown.sum();
    }

    /// The measured false positive rate: refuted suspects among the keys that are not listed; 0 before the first key.
    public double refutedRate() {
        long unlisted = keys() - confirmed();
        return unlisted <= 0 ? 0 : (double) refuted() / unlisted;
    }
}
