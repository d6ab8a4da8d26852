package org.bloomgate.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bloomgate.core.bloom.FilterHeader;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lookup.tier.Layer;

/// Metrics of the current snapshots, one of each layer, and of their filters and feeds. Used by one thread at a
/// time.
final class SnapshotMetrics {
    /// The most feeds shown for one layer, each with one series per metric.
    private static final int MAX_FEEDS = 500;

    private final MeterRegistry registry;
    private final List<Table<?>> tables = new ArrayList<>();
    private final Table<Duration> age;
    private final Table<Integer> generation;
    private final Table<Long> size;
    private final Table<Duration> feedAge;
    private final List<Table<FilterHeader>> filterTables;
    private final List<Table<ManifestFeed>> feedTables;

    SnapshotMetrics(MeterRegistry registry) {
        this.registry = registry;
        age = createTable(
                "snapshot.age.seconds", SnapshotMetrics::toSeconds, "Seconds since the snapshot in force was created");
        generation = createTable("snapshot.info", value -> value, "1 for the generation in force of each layer");
        size = createTable("snapshot.bytes", bytes -> bytes, "Bytes of all files of the snapshot in force");
        filterTables = List.of(
                createTable("filter.entries", FilterHeader::inserted, "Keys in the filter"),
                createTable(
                        "filter.bytes",
                        header -> header.parameters().fileBytes(),
                        "Bytes of the filter's file, mapped into memory"),
                createTable(
                        "filter.fill.ratio",
                        FilterHeader::fill,
                        "Share of the bits of the filter's lines that are one"),
                createTable(
                        "filter.design.false.positive.ratio",
                        header -> header.parameters().sizing().targetRate(),
                        "False positive rate per key that the filter was sized for"),
                createTable(
                        "filter.predicted.false.positive.ratio",
                        FilterHeader::predictedRate,
                        "False positive rate per key to expect of the filter with the keys it holds"));
        feedAge = createTable(
                "feed.age.seconds",
                SnapshotMetrics::toSeconds,
                "Seconds since the feed's source was known to hold its keys; absent when it never gave any");
        feedTables = List.of(
                createTable("feed.entries", ManifestFeed::entries, "Lines of the feed that gave keys"),
                createTable("feed.rejects", ManifestFeed::rejects, "Lines of the feed that could not be read"),
                createTable("feed.held", ManifestFeed::held, "Lines of the feed that an allow list held back"),
                createTable(
                        "feed.fallback",
                        feed -> feed.cameFromSource() ? 0 : 1,
                        "1 while the feed is served from its last good copy, or not at all"));
    }

    private <T> Table<T> createTable(String name, Function<T, Number> value, String description) {
        MultiGauge gauges =
                MultiGauge.builder("bloomgate." + name).description(description).register(registry);
        Table<T> table = new Table<>(gauges, value, new ArrayList<>());
        tables.add(table);
        return table;
    }

    private static double toSeconds(Duration age) {
        return age.toMillis() / 1e3;
    }

    void show(List<Layer> layers, List<LayerStatus> status, Instant now) {
        for (Layer layer : layers) {
            Tags tags = Tags.of("layer", layer.name());
            age.addRow(tags, Duration.between(layer.createdAt(), now));
            generation.addRow(tags.and("generation", layer.generation()), 1);
            layer.filters()
                    .forEach((kind, filter) -> filterTables.forEach(
                            table -> table.addRow(tags.and("kind", kind.label()), filter.header())));
        }
        for (LayerStatus layer : status) {
            Tags tags = Tags.of("layer", layer.layer());
            size.addRow(tags, layer.sizeBytes());
            layer.feeds().stream().limit(MAX_FEEDS).forEach(feed -> show(tags.and("feed", feed.name()), feed, now));
        }
        tables.forEach(Table::show);
    }

    private void show(Tags tags, ManifestFeed feed, Instant now) {
        feed.seen().ifPresent(seen -> feedAge.addRow(tags, Duration.between(seen, now)));
        feedTables.forEach(table -> table.addRow(tags, feed));
    }

    /// The gauges of one metric, whose labels change.
    ///
    /// @param rows for the next [#show()]
    private record Table<T>(MultiGauge gauges, Function<T, Number> value, List<MultiGauge.Row<?>> rows) {
        void addRow(Tags tags, T source) {
            rows.add(MultiGauge.Row.of(tags, value.apply(source)));
        }

        /// Shows the rows added since the last call, and removes all others.
        void show() {
            gauges.register(List.copyOf(rows), true);
            rows.clear();
        }
    }
}
