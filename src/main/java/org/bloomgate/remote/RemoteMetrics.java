package org.bloomgate.remote;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Shows the totals of a remote tier under names that begin with `bloomgate_exact_`.
final class RemoteMetrics {
    private static final Duration[] BOUNDS = {
        Duration.ofNanos(250_000),
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1)
    };

    private final MeterRegistry registry;
    private final RemoteCounts counts;

    RemoteMetrics(MeterRegistry registry, RemoteCounts counts) {
        this.registry = registry;
        this.counts = counts;
    }

    void bind() {
        Timer calls = Timer.builder("bloomgate.exact.calls")
                .description("Calls to the remote exact tier")
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
        counts.watch(calls::record);
        total("failures", "Calls after which the remote exact tier counts as not working", RemoteCounts::failures);
        total("not.permitted", "Calls that breaker or bulkhead did not permit", RemoteCounts::notPermitted);
        total("cache.hits", "Suspects answered from the cache", RemoteCounts::hits);
        total("cache.misses", "Suspects that a call was wanted for", RemoteCounts::misses);
        total("joined", "Suspects answered by a call under way for others", RemoteCounts::joined);
        gauge("calls.active", "Calls under way", RemoteCounts::callsNow);
        gauge("calls.max", "Calls that may be under way at one time", RemoteCounts::mostCalls);
        for (String state : List.of("closed", "open", "half-open")) {
            Gauge.builder(
                            "bloomgate.exact.breaker",
                            counts,
                            now -> now.breaker().equals(state) ? 1 : 0)
                    .description("1 for the state of the breaker")
                    .tag("state", state)
                    .strongReference(true)
                    .register(registry);
        }
    }

    private void total(String name, String description, ToDoubleFunction<RemoteCounts> total) {
        FunctionCounter.builder("bloomgate.exact." + name, counts, total)
                .description(description)
                .register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<RemoteCounts> value) {
        Gauge.builder("bloomgate.exact." + name, counts, value)
                .description(description)
                .strongReference(true)
                .register(registry);
    }
}
