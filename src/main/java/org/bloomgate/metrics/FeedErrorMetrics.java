package org.bloomgate.metrics;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bloomgate.local.LiveEntries;

/// The values that each feed lists wrongly, as operators confirmed within [#WINDOW], and which feeds that holds down.
/// Used by one scrape at a time.
final class FeedErrorMetrics {
    /// As far back as a feed is judged by what it did wrong.
    static final Duration WINDOW = Duration.ofDays(30);

    private final MultiGauge gauges;
    private final MultiGauge held;
    private Supplier<Map<String, Instant>> probations = Map::of;
    private final LiveEntries entries;
    private final InstantSource clock;

    FeedErrorMetrics(PrometheusMeterRegistry registry, LiveEntries entries, InstantSource clock) {
        gauges = MultiGauge.builder("bloomgate.feed.errors")
                .description("Values that a feed lists wrongly, confirmed by exceptions within 30 days")
                .register(registry);
        held = MultiGauge.builder("bloomgate.feed.probation.left.seconds")
                .description("Until the errors of a feed hold it down no longer (policy.probation)")
                .register(registry);
        this.entries = entries;
        this.clock = clock;
    }

    void show() {
        List<MultiGauge.Row<?>> rows = entries.entries().errors(clock.instant().minus(WINDOW)).entrySet().stream()
                .map(feed -> MultiGauge.Row.of(
                        Tags.of("feed", feed.getKey()), feed.getValue().size()))
                .collect(Collectors.toList());
        gauges.register(rows, true);
        held.register(
                probations.get().entrySet().stream()
                        .map(feed -> MultiGauge.Row.of(
                                Tags.of("feed", feed.getKey()),
                                Duration.between(clock.instant(), feed.getValue())
                                        .toSeconds()))
                        .collect(Collectors.toList()),
                true);
    }

    /// Feeds that are held down, with the ends. Called before anybody asks.
    void probations(Supplier<Map<String, Instant>> ends) {
        probations = ends;
    }
}
