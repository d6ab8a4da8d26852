package org.bloomgate.remote;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/// Running totals of one remote tier since start; the metrics read them. Thread-safe without a lock.
public final class RemoteCounts {
    private final CircuitBreaker breaker;
    private final Bulkhead bulkhead;
    private final LongAdder hits = new LongAdder();
    private final LongAdder joined = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder notPermitted = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final CopyOnWriteArrayList<Consumer<Duration>> watchers = new CopyOnWriteArrayList<>();

    RemoteCounts(CircuitBreaker breaker, Bulkhead bulkhead) {
        this.breaker = breaker;
        this.bulkhead = bulkhead;
    }

    void hit() {
        hits.increment();
    }

    void join() {
        joined.increment();
    }

    void miss(int more) {
        misses.add(more);
    }

    void refuse() {
        notPermitted.increment();
    }

    void call(Duration took) {
        calls.increment();
        watchers.forEach(watcher -> watcher.accept(took));
    }

    void fail() {
        failures.increment();
    }

    /// Tells how long each call took from now on, on the thread that made it.
    void watch(Consumer<Duration> watcher) {
        watchers.add(watcher);
    }

    /// Shows all of this there.
    public void bindTo(MeterRegistry registry) {
        new RemoteMetrics(registry, this).bind();
    }

    /// Keys answered from the cache.
    public long hits() {
        return hits.sum();
    }

    /// Keys answered by a call that was under way for somebody else.
    public long joined() {
        return joined.sum();
    }

    /// Keys that a call was made or refused for.
    public long misses() {
        return misses.sum();
    }

    /// Calls that ended, well or not.
    public long calls() {
        return calls.sum();
    }

    /// Calls after which whoever was asked counts as not working.
    public long failures() {
        return failures.sum();
    }

    /// Calls that breaker or bulkhead did not permit.
    public long notPermitted() {
        return notPermitted.sum();
    }

    /// Calls under way.
    public int callsNow() {
        return mostCalls() - bulkhead.getMetrics().getAvailableConcurrentCalls();
    }

    /// Calls that may be under way at one time.
    public int mostCalls() {
        return bulkhead.getMetrics().getMaxAllowedConcurrentCalls();
    }

    /// `closed` while calls are made, `open` while none is, `half-open` while some are tried.
    public String breaker() {
        return breaker.getState().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
