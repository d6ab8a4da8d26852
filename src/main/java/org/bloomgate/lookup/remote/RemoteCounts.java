package org.bloomgate.lookup.remote;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.bloomgate.core.text.TextForms;

/// The counters of one remote tier since the start, as metrics whose names begin with `bloomgate_exact_`.
/// Thread-safe without a lock.
public final class RemoteCounts {
    private static final String PREFIX = "bloomgate.exact.";

    private static final Duration[] BOUNDS = {
        Duration.ofNanos(250_000),
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1)
    };

    /// The counters.
    enum Total {
        FAILURES("failures", "Calls after which the remote exact tier counts as not working"),
        NOT_PERMITTED("not.permitted", "Calls that breaker or bulkhead did not permit"),
        HITS("cache.hits", "Suspects answered from the cache"),
        MISSES("cache.misses", "Suspects that needed a call"),
        JOINED("joined", "Suspects answered by a call in progress for another lookup");

        private final String metric;
        private final String description;

        Total(String metric, String description) {
            this.metric = metric;
            this.description = description;
        }
    }

    private final CircuitBreaker breaker;
    private final int maxCalls;
    private final IntSupplier callsNow;
    private final Map<Total, LongAdder> totals = new EnumMap<>(Total.class);
    private final CopyOnWriteArrayList<Consumer<Duration>> watchers = new CopyOnWriteArrayList<>();

    RemoteCounts(CircuitBreaker breaker, int maxCalls, IntSupplier callsNow) {
        this.breaker = breaker;
        this.maxCalls = maxCalls;
        this.callsNow = callsNow;
        for (Total total : Total.values()) {
            totals.put(total, new LongAdder());
        }
    }

    void add(Total total, int count) {
        adder(total).add(count);
    }

    long count(Total total) {
        return adder(total).sum();
    }

    private LongAdder adder(Total total) {
        return Objects.requireNonNull(totals.get(total));
    }

    void recordCall(Duration duration) {
        watchers.forEach(watcher -> watcher.accept(duration));
    }

    /// Passes the duration of each later call, successful or not, to the watcher, on the thread of the call.
    void watch(Consumer<Duration> watcher) {
        watchers.add(watcher);
    }

    /// The number of calls in progress.
    int callsNow() {
        return callsNow.getAsInt();
    }

    /// The state of the breaker: `closed` while calls are made, `open` while none is made, `half-open` during
    /// trial calls.
    String breakerState() {
        return TextForms.lowerCase(breaker.getState().name()).replace('_', '-');
    }

    /// Registers the metrics.
    public void bindTo(MeterRegistry registry) {
        watch(Timer.builder(PREFIX + "calls")
                .description("Calls to the remote exact tier")
                .serviceLevelObjectives(BOUNDS)
                .register(registry)::record);
        totals.forEach((total, count) -> FunctionCounter.builder(PREFIX + total.metric, count, LongAdder::sum)
                .description(total.description)
                .register(registry));
        gauge("calls.active", this::callsNow, "Calls in progress").register(registry);
        gauge("calls.max", () -> maxCalls, "The most calls at one time").register(registry);
        for (String state : List.of("closed", "open", "half-open")) {
            gauge("breaker", () -> breakerState().equals(state) ? 1 : 0, "1 for the state of the breaker")
                    .tag("state", state)
                    .register(registry);
        }
    }

    private static Gauge.Builder<?> gauge(String name, Supplier<Number> value, String description) {
        return Gauge.builder(PREFIX + name, value).description(description);
    }
}
