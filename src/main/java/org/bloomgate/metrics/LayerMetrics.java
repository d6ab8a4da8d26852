package org.bloomgate.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bloomgate.filter.BloomFilter;
import org.bloomgate.filter.FilterHeader;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.Layer;

/// What is in force: the snapshot of each layer and its filters. Used by one thread at a time.
final class LayerMetrics {
    private final GaugeTable age;
    private final GaugeTable generation;
    private final GaugeTable entries;
    private final GaugeTable bytes;
    private final GaugeTable fill;
    private final GaugeTable design;
    private final GaugeTable predicted;

    LayerMetrics(MeterRegistry registry) {
        age = new GaugeTable(
                registry, "bloomgate.snapshot.age.seconds", "Seconds since the snapshot in force was created");
        generation = new GaugeTable(registry, "bloomgate.snapshot.info", "1 for the generation in force of each layer");
        entries = new GaugeTable(registry, "bloomgate.filter.entries", "Keys in the filter");
        bytes = new GaugeTable(registry, "bloomgate.filter.bytes", "Octets of the filter's file, mapped into memory");
        fill = new GaugeTable(registry, "bloomgate.filter.fill.ratio", "Share of the filter's bits that are one");
        design = new GaugeTable(
                registry,
                "bloomgate.filter.design.false.positive.ratio",
                "False positive rate per key that the filter was sized for");
        predicted = new GaugeTable(
                registry,
                "bloomgate.filter.predicted.false.positive.ratio",
                "False positive rate per key to expect of the filter with the keys it holds");
    }

    void show(List<Layer> inForce, Instant now) {
        for (Layer layer : inForce) {
            Tags tags = Tags.of("layer", layer.name());
            age.row(tags, Duration.between(layer.createdAt(), now).toMillis() / 1e3);
            generation.row(tags.and("generation", layer.generation()), 1);
            for (Map.Entry<KeyKind, BloomFilter> filter : layer.filters().entrySet()) {
                row(tags.and("kind", filter.getKey().label()), filter.getValue().header());
            }
        }
        Stream.of(age, generation, entries, bytes, fill, design, predicted).forEach(GaugeTable::show);
    }

    private void row(Tags tags, FilterHeader header) {
        entries.row(tags, header.inserted());
        bytes.row(tags, header.parameters().fileBytes());
        fill.row(tags, header.fill());
        design.row(tags, header.parameters().sizing().targetRate());
        predicted.row(tags, header.predictedRate());
    }
}
