package org.bloomgate.lookup.dnsbl;

import java.util.concurrent.atomic.LongAdder;

/// Running totals of one zone since start. Thread-safe without a lock.
final class ZoneCounts {
    private final LongAdder questions = new LongAdder();
    private final LongAdder listed = new LongAdder();
    private final LongAdder absent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void recordQuery() {
        questions.increment();
    }

    void listed(long tookNanos) {
        listed.increment();
        nanos.add(tookNanos);
    }

    void absent(long tookNanos) {
        absent.increment();
        nanos.add(tookNanos);
    }

    void failed(long tookNanos) {
        failed.increment();
        nanos.add(tookNanos);
    }

    void refused(long tookNanos) {
        refused.increment();
        nanos.add(tookNanos);
    }

    void notAwaited() {
        late.increment();
    }

    /// Questions that no kept answer spared.
    long questions() {
        return questions.sum();
    }

    /// Answers that were addresses of listings.
    long listed() {
        return listed.sum();
    }

    /// Answers "no such name".
    long absent() {
        return absent.sum();
    }

    /// Questions without a usable answer.
    long failed() {
        return failed.sum();
    }

    /// Answers that mean "query refused".
    long refused() {
        return refused.sum();
    }

    /// Answers that a message did not wait for; each counts by its content too, once it is there.
    long late() {
        return late.sum();
    }

    /// Answers, and questions that were given up.
    long ended() {
        return listed() + absent() + failed() + refused();
    }

    /// From question to answer, retries included, over all that were answered or given up.
    long nanos() {
        return nanos.sum();
    }
}
