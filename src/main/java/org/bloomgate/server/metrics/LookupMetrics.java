package org.bloomgate.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.bloomgate.lookup.tier.FilterCounts;
import org.bloomgate.lookup.tier.LookupCounts;

/// The counts of the lookups, in total and of each filter. A filter or a reason is registered once its count is
/// above 0. Used by one thread at a time.
final class LookupMetrics {
    private final MeterRegistry registry;
    private final LookupCounts counts;
    private final Set<Tags> registeredTags = new HashSet<>();

    LookupMetrics(MeterRegistry registry, LookupCounts counts) {
        this.registry = registry;
        this.counts = counts;
        registerTotal("keys", "Keys probed", LookupCounts::keys);
        registerTotal("suspects", "Keys that a filter could not rule out", LookupCounts::suspects);
        registerTotal("confirmed", "Suspects that the exact tier holds", LookupCounts::confirmed);
        registerTotal("refuted", "Suspects that the exact tier does not hold", LookupCounts::refuted);
        registerTotal("unknown", "Suspects that the exact tier could not answer for", LookupCounts::unknown);
        registerTotal(
                "filters.unreadable",
                "Batches asked whole of the exact tier because a filter could not be read",
                LookupCounts::unreadableFilters);
    }

    LookupCounts counts() {
        return counts;
    }

    private void registerTotal(String name, String description, ToDoubleFunction<LookupCounts> total) {
        FunctionCounter.builder("bloomgate.lookup." + name, counts, total)
                .description(description)
                .register(registry);
    }

    void show() {
        counts.filters()
                .forEach((layer, kinds) -> kinds.forEach((kind, filter) -> {
                    Tags tags = Tags.of("layer", layer, "kind", kind.label());
                    if ((filter.keys() > 0 || filter.suspects() > 0) && registeredTags.add(tags)) {
                        register(tags, filter);
                    }
                }));
        for (String reason : counts.unknownByReason().keySet()) {
            Tags tags = Tags.of("reason", reason);
            if (registeredTags.add(tags)) {
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

    private void register(Tags tags, FilterCounts filter) {
        register("keys", "Keys asked of the filter", tags, filter, FilterCounts::keys);
        register("suspects", "Keys that the filter could not rule out", tags, filter, FilterCounts::suspects);
        register(
                "confirmed", "Suspects of the filter that the exact tier holds", tags, filter, FilterCounts::confirmed);
        register(
                "refuted",
                "Suspects of the filter that the exact tier does not hold: its false positives",
                tags,
                filter,
                FilterCounts::refuted);
        register(
                "unknown",
                "Suspects of the filter that the exact tier could not answer for",
                tags,
                filter,
                FilterCounts::unknown);
    }

    private void register(
            String name, String description, Tags tags, FilterCounts filter, ToDoubleFunction<FilterCounts> total) {
        FunctionCounter.builder("bloomgate.filter." + name, filter, total)
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
