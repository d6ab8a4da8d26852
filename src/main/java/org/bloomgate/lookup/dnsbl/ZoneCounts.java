package org.bloomgate.lookup.dnsbl;

import java.util.concurrent.atomic.LongAdder;

/// Running totals of one zone since start. Thread-safe without a lock.
final class ZoneCounts {
    private final LongAdder queries = new LongAdder();
    private final LongAdder listed = new LongAdder();
    private final LongAdder absent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void recordQuery() {
        queries.increment();
    }

    void recordListed(long durationNanos) {
        listed.increment();
        nanos.add(durationNanos);
    }

    void recordAbsent(long durationNanos) {
        absent.increment();
        nanos.add(durationNanos);
    }

    void recordFailed(long durationNanos) {
        failed.increment();
        nanos.add(durationNanos);
    }

    void recordRefused(long durationNanos) {
        refused.increment();
        nanos.add(durationNanos);
    }

    void recordLate() {
        late.increment();
    }

    /// Queries that no cached answer made unnecessary.
    long queries() {
        return queries.sum();
    }

    /// Answers that were addresses of listings.
    long listed() {
        return listed.sum();
    }

    /// Answers "no such name".
    long absent() {
        return absent.sum();
    }

    /// Queries without a usable answer.
    long failed() {
        return failed.sum();
    }

    /// Answers that mean "query refused".
    long refused() {
        return refused.sum();
    }

    /// Answers that a message did not wait for. Each is also counted by its content when it arrives.
    long late() {
        return late.sum();
    }

    /// Answers, and queries without one.
    long ended() {
        return listed() + absent() + failed() + refused();
    }

    /// Total time from query to answer or failure, with retries.
    long nanos() {
        return nanos.sum();
    }
}
