package org.bloomgate.server.metrics;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;
import org.bloomgate.lookup.local.LiveEntries;

/// The number of values that each feed lists wrongly, as operators confirmed within [#WINDOW]. Used by one
/// scrape at a time.
final class FeedErrorMetrics {
    /// The period in which confirmed errors of a feed count.
    static final Duration WINDOW = Duration.ofDays(30);

    private final MultiGauge gauges;
    private final LiveEntries entries;
    private final InstantSource clock;

    FeedErrorMetrics(PrometheusMeterRegistry registry, LiveEntries entries, InstantSource clock) {
        gauges = MultiGauge.builder("bloomgate.feed.errors")
                .description("Values that a feed lists wrongly, confirmed by exceptions within 30 days")
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
    }
}
