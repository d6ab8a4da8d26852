package org.bloomgate.server.spool;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.lookup.tier.Action;

/// Counters of the results of listings, by feed. A series is created with its first count; beyond
/// [#MAX_SERIES], new ones count as `other`, so that no publisher can fill the memory with names. Thread-safe;
/// clean messages cost nothing.
final class FeedMetrics {
    static final int MAX_SERIES = 2_000;
    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final Map<Series, Counter> series = new ConcurrentHashMap<>();

    FeedMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /// @param category empty for actions of feeds in shadow mode
    private record Series(String feed, String category, String action) {}

    void count(DecisionDraft draft) {
        if (!draft.feed().isEmpty()) {
            draft.enforced()
                    .map(Action::label)
                    .ifPresent(action -> increment(new Series(draft.feed(), draft.category(), action)));
        }
        draft.findShadowActions().forEach((feed, action) -> increment(new Series(feed, "", action)));
    }

    private void increment(Series wanted) {
        Series withinBound = series.containsKey(wanted) || series.size() < MAX_SERIES
                ? wanted
                : new Series(OTHER, wanted.category().isEmpty() ? "" : OTHER, wanted.action());
        series.computeIfAbsent(withinBound, this::counter).increment();
    }

    private Counter counter(Series labels) {
        return labels.category().isEmpty()
                ? Counter.builder("bloomgate.trial.messages")
                        .description("Messages by the action that a feed in shadow mode would have caused")
                        .tags("feed", labels.feed(), "action", labels.action())
                        .register(registry)
                : Counter.builder("bloomgate.feed.messages")
                        .description("Messages by the feed whose listing decided and what was done with them")
                        .tags("feed", labels.feed(), "category", labels.category(), "action", labels.action())
                        .register(registry);
    }
}
