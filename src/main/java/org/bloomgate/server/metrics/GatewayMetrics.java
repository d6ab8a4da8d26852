package org.bloomgate.server.metrics;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.FilterCounts;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupCounts;

/// The metrics of the gateway, with names that begin with `bloomgate_`, and those of the JVM; `docker/METRICS.md` lists
/// them.
///
/// Counters stay in their packages and are read at each scrape; nothing on the mail path knows about metrics.
/// The share of refuted suspects among the keys is the real false positive rate of the filters. Thread-safe.
public final class GatewayMetrics implements AutoCloseable {
    static final String REQUESTS = "bloomgate.http.requests";

    private final PrometheusMeterRegistry registry;
    private final LayerSource layers;
    private final InstantSource clock;
    private final JvmGcMetrics collections = new JvmGcMetrics();

    /// The objects that meters read, to which the registry has only weak references.
    private final List<Object> strongReferences = new CopyOnWriteArrayList<>();

    private final List<Ages> ages = new CopyOnWriteArrayList<>();

    private final ReentrantLock scrapeLock = new ReentrantLock();
    private final SnapshotMetrics snapshotMetrics;
    private Optional<FeedErrorMetrics> feedErrorMetrics = Optional.empty();
    private Optional<LookupMetrics> lookupMetrics = Optional.empty();
    private Supplier<LiveStatus> status = () -> new LiveStatus(List.of(), List.of(), 0);

    public GatewayMetrics(PrometheusMeterRegistry registry, LayerSource layers, InstantSource clock) {
        this.registry = registry;
        this.layers = layers;
        this.clock = clock;
        // before the first meter, otherwise the registry warns
        registry.config().meterFilter(MeterFilter.deny(GatewayMetrics::isRenamed));
        snapshotMetrics = new SnapshotMetrics(registry);
        Gauge.builder("bloomgate.ready", this, GatewayMetrics::measureReadiness)
                .description("1 while a snapshot is in use, the publisher's statement has not expired (with"
                        + " mirror.onExpired: unready), and the folders that mail needs can be written to")
                .register(registry);
        Gauge.builder("bloomgate.build.info", () -> 1)
                .description("1, with the version that runs")
                .tag("version", Build.version())
                .register(registry);
        bindMachine();
    }

    private double measureReadiness() {
        try (LayerLease lease = layers.lease()) {
            return lease.layers().isEmpty() || !status.get().isReady() ? 0 : 1;
        }
    }

    private void bindMachine() {
        new JvmMemoryMetrics().bindTo(registry);
        collections.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        bindProcessorTime();
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /// Names of Micrometer that the conventions of Prometheus change: one ends in `_ns_total`, one in `_count`
    /// without being a counter.
    private static boolean isRenamed(Meter.Id id) {
        return id.getName().equals("process.cpu.time") || id.getName().equals("system.cpu.count");
    }

    private void bindProcessorTime() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        FunctionCounter.builder("process.cpu", system, bean -> bean.getProcessCpuTime() / 1e9)
                .baseUnit("seconds")
                .description("Processor time of the process")
                .register(registry);
        Gauge.builder("system.cpus", Runtime.getRuntime(), Runtime::availableProcessors)
                .description("Processors of the machine that the process may use")
                .register(registry);
        strongReferences.add(system);
    }

    /// Binds the counts of the lookups. Called before the first request.
    public void bindLookups(LookupCounts counts) {
        lookupMetrics = Optional.of(new LookupMetrics(registry, counts));
        registerGauge(
                "lookup.degraded",
                "1 while more than a twentieth of the suspects of the last minute could not be looked up",
                () -> counts.describeDegradation().isPresent() ? 1 : 0);
    }

    /// Binds the status of the snapshots. Called before the first request.
    public void bindSnapshots(Supplier<LiveStatus> source) {
        status = source;
        registerTotal(
                "snapshots.refused",
                "Snapshots that did not verify and were not adopted",
                () -> source.get().refusedTotal());
    }

    /// Registers the number of listings and exceptions of operators.
    public void bindLocalEntries(LiveEntries entries) {
        strongReferences.add(entries);
        feedErrorMetrics = Optional.of(new FeedErrorMetrics(registry, entries, clock));
        for (Entry.Type type : Entry.Type.values()) {
            Supplier<Number> count = () -> entries.entries().of(type).size();
            Gauge.builder("bloomgate.local.entries", count)
                    .description("Listings and exceptions that operators keep")
                    .tag("type", type.label())
                    .register(registry);
        }
    }

    /// Registers a counter that is maintained by its owner.
    ///
    /// @param name without the prefix `bloomgate.` and the suffix `total`: `snapshots.refused`
    /// @param tags names and values by turns
    public void registerTotal(String name, String description, LongSupplier total, String... tags) {
        strongReferences.add(total);
        FunctionCounter.builder("bloomgate." + name, total, LongSupplier::getAsLong)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /// Registers a value that is read at each scrape.
    ///
    /// @param name without the prefix `bloomgate.`: `mirror.counter`
    public void registerGauge(String name, String description, Supplier<Number> value) {
        registerGauge(name, description, Tags.empty(), value);
    }

    /// Registers one of several values of a name.
    public void registerGauge(String name, String description, Tags tags, Supplier<Number> value) {
        Gauge.builder("bloomgate." + name, value)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /// Returns the value of a gauge without tags, in whole units; empty if there is no such gauge.
    public Optional<Long> readGauge(String name) {
        return Optional.ofNullable(registry.find("bloomgate." + name).gauge()).map(gauge -> (long) gauge.value());
    }

    /// Registers the seconds since a moment; there is no series while there is no moment.
    public void registerAge(String name, String description, Supplier<Optional<Instant>> moment) {
        registerAges(
                name,
                description,
                () -> moment.get().map(at -> Map.of(Tags.empty(), at)).orElse(Map.of()));
    }

    /// Registers the seconds since several moments, by their tags.
    public void registerAges(String name, String description, Supplier<Map<Tags, Instant>> moments) {
        MultiGauge gauges =
                MultiGauge.builder("bloomgate." + name).description(description).register(registry);
        ages.add(new Ages(gauges, moments));
    }

    private record Ages(MultiGauge gauges, Supplier<Map<Tags, Instant>> moments) {
        void show(Instant now) {
            List<MultiGauge.Row<?>> rows = new ArrayList<>();
            moments.get()
                    .forEach((tags, at) -> rows.add(
                            MultiGauge.Row.of(tags, Duration.between(at, now).toMillis() / 1e3)));
            gauges.register(rows, true);
        }
    }

    /// The timer of one resource and one status.
    public Timer findRequestTimer(String resource, int status) {
        return Timer.builder(REQUESTS)
                .description("HTTP requests by resource and status")
                .tags(Tags.of("resource", resource, "status", Integer.toString(status)))
                .register(registry);
    }

    /// The counters for the operator's page.
    public LiveFigures readFigures() {
        return LiveFigures.of(registry, lookupMetrics.map(LookupMetrics::counts));
    }

    /// The totals of each filter by layer and kind.
    public Map<String, Map<KeyKind, FilterCounts>> readFilterCounts() {
        return lookupMetrics.map(lookups -> lookups.counts().filters()).orElse(Map.of());
    }

    /// All metrics in Prometheus' text format.
    public String scrape() {
        scrapeLock.lock();
        try (LayerLease lease = layers.lease()) {
            snapshotMetrics.show(lease.layers(), status.get().layers(), clock.instant());
            lookupMetrics.ifPresent(LookupMetrics::show);
            ages.forEach(each -> each.show(clock.instant()));
            feedErrorMetrics.ifPresent(FeedErrorMetrics::show);
            return registry.scrape();
        } finally {
            scrapeLock.unlock();
        }
    }

    @Override
    public void close() {
        collections.close();
    }
}
