package org.bloomgate.lookup.dnsbl;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/// Shows zones in registries, each zone as long as it is in use. Thread-safe.
final class ZoneMetrics {
    private static final String PREFIX = "bloomgate.zone.";
    private static final String ZONE = "zone";
    private static final Duration[] WAIT_BOUNDS = LongStream.of(5, 10, 20, 50, 100, 150, 250)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

    void add(MeterRegistry registry, List<Zone> zones) {
        registries.add(registry);
        zones.forEach(zone -> show(zone, registry));
    }

    void show(Zone zone) {
        registries.forEach(registry -> show(zone, registry));
    }

    private static void show(Zone zone, MeterRegistry registry) {
        Timer _ = waits(registry);
        Gauge.builder(PREFIX + "trusted", zone, ZoneMetrics::trusted)
                .description("1 while the zone's last self-test passed")
                .tag(ZONE, zone.name())
                .register(registry);
        FunctionCounter.builder(PREFIX + "questions", zone.counts(), ZoneCounts::queries)
                .description("Queries to the zone that no cached answer made unnecessary")
                .tag(ZONE, zone.name())
                .register(registry);
        answers(zone, "listed", ZoneCounts::listed, registry);
        answers(zone, "not-listed", ZoneCounts::absent, registry);
        answers(zone, "refused", ZoneCounts::refused, registry);
        answers(zone, "late", ZoneCounts::late, registry);
        answers(zone, "unknown", ZoneCounts::failed, registry);
        FunctionTimer.builder(
                        PREFIX + "latency", zone.counts(), ZoneCounts::ended, ZoneCounts::nanos, TimeUnit.NANOSECONDS)
                .description("Time from query to answer or failure")
                .tag(ZONE, zone.name())
                .register(registry);
    }

    private static double trusted(Zone zone) {
        return zone.selfTest().status().state() == ZoneStatus.State.PASSED ? 1 : 0;
    }

    private static void answers(Zone zone, String result, ToDoubleFunction<ZoneCounts> count, MeterRegistry registry) {
        FunctionCounter.builder(PREFIX + "answers", zone.counts(), count)
                .description("Answers of the zone by meaning")
                .tags(ZONE, zone.name(), "result", result)
                .register(registry);
    }

    /// Counts a wait for lists that exist only as zones.
    void waited(long nanos) {
        registries.forEach(registry -> waits(registry).record(nanos, TimeUnit.NANOSECONDS));
    }

    /// The registry makes one timer, and returns it again.
    private static Timer waits(MeterRegistry registry) {
        return Timer.builder(PREFIX + "wait")
                .description("Time that a stage of a message waited for lists that exist only as zones")
                .serviceLevelObjectives(WAIT_BOUNDS)
                .register(registry);
    }

    void forget(Zone zone) {
        remove(meter -> zone.name().equals(meter.getTag(ZONE)));
    }

    /// Without zones nothing of them is shown.
    void forgetWaits() {
        remove(meter -> meter.getTag(ZONE) == null);
    }

    private void remove(Predicate<Meter.Id> unwanted) {
        for (MeterRegistry registry : registries) {
            registry.getMeters().stream()
                    .filter(meter -> meter.getId().getName().startsWith(PREFIX) && unwanted.test(meter.getId()))
                    .forEach(registry::remove);
        }
    }
}
