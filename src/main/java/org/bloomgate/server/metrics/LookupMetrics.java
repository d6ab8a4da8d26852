package org.bloomgate.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.bloomgate.lookup.tier.FilterCounts;
import org.bloomgate.lookup.tier.LookupCounts;

/// The totals of the lookups, over all and of each filter. A filter and a reason are shown from the first time on
/// that there is something to count. Used by one thread at a time.
final class LookupMetrics {
    private final MeterRegistry registry;
    private final LookupCounts counts;
    private final Set<Tags> shown = new HashSet<>();

    LookupMetrics(MeterRegistry registry, LookupCounts counts) {
        this.registry = registry;
        this.counts = counts;
        total("keys", "Keys probed", LookupCounts::keys);
        total("suspects", "Keys that a filter could not rule out", LookupCounts::suspects);
        total("confirmed", "Suspects that the exact tier holds", LookupCounts::confirmed);
        total("refuted", "Suspects that the exact tier does not hold", LookupCounts::refuted);
        total("unknown", "Suspects that the exact tier could not answer for", LookupCounts::unknown);
        total(
                "filters.unreadable",
                "Batches asked whole of the exact tier because a filter could not be read",
                LookupCounts::unreadableFilters);
    }

    LookupCounts counts() {
        return counts;
    }

    private void total(String name, String description, ToDoubleFunction<LookupCounts> total) {
        FunctionCounter.builder("bloomgate.lookup." + name, counts, total)
                .description(description)
                .register(registry);
    }

    void show() {
        counts.filters()
                .forEach((layer, kinds) -> kinds.forEach((kind, filter) -> {
                    Tags tags = Tags.of("layer", layer, "kind", kind.label());
                    if ((filter.keys() > 0 || filter.suspects() > 0) && shown.add(tags)) {
                        show(tags, filter);
                    }
                }));
        for (String reason : counts.unknownByReason().keySet()) {
            Tags tags = Tags.of("reason", reason);
            if (shown.add(tags)) {
                FunctionCounter.builder(
                                "bloomgate.lookup.unknown.reasons",
                                counts,
                                all -> all.unknownByReason().getOrDefault(reason, 0L))
                        .description("Suspects that the exact tier could not answer for, by reason")
                        .tags(tags)
                        .register(registry);
            }
        }
    }

    private void show(Tags tags, FilterCounts filter) {
        of("keys", "Keys asked of the filter", tags, filter, FilterCounts::keys);
        of("suspects", "Keys that the filter could not rule out", tags, filter, FilterCounts::suspects);
        of("confirmed", "Suspects of the filter that the exact tier holds", tags, filter, FilterCounts::confirmed);
        of(
                "refuted",
                "Suspects of the filter that the exact tier does not hold: its false positives",
                tags,
                filter,
                FilterCounts::refuted);
        of(
                "unknown",
                "Suspects of the filter that the exact tier could not answer for",
                tags,
                filter,
                FilterCounts::unknown);
    }

    private void of(
            String name, String description, Tags tags, FilterCounts filter, ToDoubleFunction<FilterCounts> total) {
        FunctionCounter.builder("bloomgate.filter." + name, filter, total)
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
