package org.bloomgate.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.snapshot.LiveStatus.LayerStatus;
import org.bloomgate.snapshot.ManifestFeed;

/// What the snapshots in force were made of: size of each layer, age and results of its feeds. Used by one thread at a
/// time.
final class FeedMetrics {
    /// Feeds shown of one layer: a series each and name.
    private static final int MAX_FEEDS = 500;

    private final GaugeTable size;
    private final GaugeTable age;
    private final GaugeTable entries;
    private final GaugeTable rejects;
    private final GaugeTable held;
    private final GaugeTable fallback;

    FeedMetrics(MeterRegistry registry) {
        size = new GaugeTable(registry, "bloomgate.snapshot.bytes", "Octets of all files of the snapshot in force");
        age = new GaugeTable(
                registry, "bloomgate.feed.age.seconds", "Seconds since the feed's source was known to hold its keys");
        entries = new GaugeTable(registry, "bloomgate.feed.entries", "Lines of the feed that gave keys");
        rejects = new GaugeTable(registry, "bloomgate.feed.rejects", "Lines of the feed that could not be read");
        held = new GaugeTable(registry, "bloomgate.feed.held", "Lines of the feed that an allow list held back");
        fallback = new GaugeTable(
                registry,
                "bloomgate.feed.fallback",
                "1 while the feed is served from its last good copy, or not at all");
    }

    void show(List<LayerStatus> layers, Instant now) {
        for (LayerStatus layer : layers) {
            size.row(Tags.of("layer", layer.layer()), layer.sizeBytes());
            layer.feeds().stream()
                    .limit(MAX_FEEDS)
                    .forEach(feed -> row(Tags.of("layer", layer.layer(), "feed", feed.name()), feed, now));
        }
        Stream.of(size, age, entries, rejects, held, fallback).forEach(GaugeTable::show);
    }

    private void row(Tags tags, ManifestFeed feed, Instant now) {
        feed.seen().ifPresent(seen -> age.row(tags, Duration.between(seen, now).toMillis() / 1e3));
        entries.row(tags, feed.entries());
        rejects.row(tags, feed.rejects());
        held.row(tags, feed.held());
        fallback.row(tags, feed.fromSource() ? 0 : 1);
    }
}
