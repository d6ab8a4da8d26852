package org.bloomgate.http;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.bloomgate.filter.BloomFilter;
import org.bloomgate.filter.FilterHeader;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.LookupCounts;

/// The counts that matter, under names that begin with `bloomgate_`, and the basics of the JVM.
///
/// Counters are read where they are kept, when somebody asks; nothing on the mail path knows of metrics. The share of
/// refuted suspects among the keys is the false positive rate that the filters really have. Thread-safe.
public final class GatewayMetrics implements AutoCloseable {
    private static final String LAYER = "layer";

    private final PrometheusMeterRegistry registry;
    private final LayerSource layers;
    private final InstantSource clock;
    private final JvmGcMetrics collections = new JvmGcMetrics();

    /// A registry refers weakly to what it reads.
    private final List<Object> kept = new CopyOnWriteArrayList<>();

    private final MultiGauge snapshotAge;
    private final MultiGauge snapshot;
    private final MultiGauge filterEntries;
    private final MultiGauge filterBytes;
    private final MultiGauge filterFill;
    private final MultiGauge filterRate;

    public GatewayMetrics(PrometheusMeterRegistry registry, LayerSource layers, InstantSource clock) {
        this.registry = registry;
        this.layers = layers;
        this.clock = clock;
        snapshotAge = gauges("bloomgate.snapshot.age.seconds", "Seconds since the snapshot in force was created");
        snapshot = gauges("bloomgate.snapshot.info", "1 for the generation in force of each layer");
        filterEntries = gauges("bloomgate.filter.entries", "Keys in the filter");
        filterBytes = gauges("bloomgate.filter.bytes", "Octets of the filter's file");
        filterFill = gauges("bloomgate.filter.fill.ratio", "Share of the filter's bits that are one");
        filterRate = gauges("bloomgate.filter.predicted.rate", "False positive rate to expect per key");
        bindMachine();
    }

    private MultiGauge gauges(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    private void bindMachine() {
        new JvmMemoryMetrics().bindTo(registry);
        collections.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /// Shows the totals of the lookups.
    public void lookups(LookupCounts counts) {
        kept.add(counts);
        lookup("keys", "Keys probed", counts, LookupCounts::keys);
        lookup("suspects", "Keys that a filter could not rule out", counts, LookupCounts::suspects);
        lookup("confirmed", "Suspects that the exact tier holds", counts, LookupCounts::confirmed);
        lookup("refuted", "Suspects that the exact tier does not hold", counts, LookupCounts::refuted);
        lookup("unknown", "Suspects that the exact tier could not answer for", counts, LookupCounts::unknown);
        lookup(
                "filters.unreadable",
                "Batches asked whole of the exact tier because a filter could not be read",
                counts,
                LookupCounts::unreadableFilters);
    }

    private void lookup(String name, String description, LookupCounts counts, ToDoubleFunction<LookupCounts> total) {
        FunctionCounter.builder("bloomgate.lookup." + name, counts, total)
                .description(description)
                .register(registry);
    }

    /// Shows a total that is kept elsewhere.
    ///
    /// @param name without the prefix `bloomgate.` and the suffix `total`: `snapshots.refused`
    public void total(String name, String description, LongSupplier total) {
        kept.add(total);
        FunctionCounter.builder("bloomgate." + name, total, LongSupplier::getAsLong)
                .description(description)
                .register(registry);
    }

    /// The timer of one resource and one status.
    Timer requests(String resource, int status) {
        return Timer.builder("bloomgate.http.requests")
                .description("HTTP requests by resource and status")
                .tags("resource", resource, "status", Integer.toString(status))
                .register(registry);
    }

    /// All metrics in Prometheus' text format.
    String scrape() {
        try (LayerLease lease = layers.lease()) {
            showSnapshots(lease.layers());
            showFilters(lease.layers());
        }
        return registry.scrape();
    }

    private void showSnapshots(List<Layer> inForce) {
        List<MultiGauge.Row<?>> ages = new ArrayList<>();
        List<MultiGauge.Row<?>> generations = new ArrayList<>();
        for (Layer layer : inForce) {
            Duration age = Duration.between(layer.createdAt(), clock.instant());
            ages.add(MultiGauge.Row.of(Tags.of(LAYER, layer.name()), age.toMillis() / 1e3));
            generations.add(MultiGauge.Row.of(Tags.of(LAYER, layer.name(), "generation", layer.generation()), 1));
        }
        snapshotAge.register(ages, true);
        snapshot.register(generations, true);
    }

    private void showFilters(List<Layer> inForce) {
        List<MultiGauge.Row<?>> entries = new ArrayList<>();
        List<MultiGauge.Row<?>> bytes = new ArrayList<>();
        List<MultiGauge.Row<?>> fills = new ArrayList<>();
        List<MultiGauge.Row<?>> rates = new ArrayList<>();
        for (Layer layer : inForce) {
            for (Map.Entry<KeyKind, BloomFilter> filter : layer.filters().entrySet()) {
                Tags tags = Tags.of(LAYER, layer.name(), "kind", filter.getKey().label());
                FilterHeader header = filter.getValue().header();
                entries.add(MultiGauge.Row.of(tags, header.inserted()));
                bytes.add(MultiGauge.Row.of(tags, header.parameters().fileBytes()));
                fills.add(MultiGauge.Row.of(tags, header.fill()));
                rates.add(MultiGauge.Row.of(tags, header.predictedRate()));
            }
        }
        filterEntries.register(entries, true);
        filterBytes.register(bytes, true);
        filterFill.register(fills, true);
        filterRate.register(rates, true);
    }

    @Override
    public void close() {
        collections.close();
    }
}
