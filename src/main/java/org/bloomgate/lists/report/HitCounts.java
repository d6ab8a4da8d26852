package org.bloomgate.lists.report;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.decision.journal.Decision.RecordedFinding;
import org.bloomgate.decision.journal.DecisionFindings;
import org.bloomgate.lookup.tier.FilterHits;

/// Counts the hits of feeds in messages. Used by one thread.
final class HitCounts {
    /// The number of distinct keys of hits, over all feeds, that are remembered to see whether they are still
    /// listed.
    static final int MAX_KEYS = 200_000;

    private final Map<String, OfFeed> feeds = new HashMap<>();
    private final Map<String, OfFilter> filters = new HashMap<>();
    private int keys;
    private long untold;

    /// The counts of one feed.
    static final class OfFeed {
        final AgeCounts ages = new AgeCounts();
        final Map<Key, Long> byKey = new LinkedHashMap<>();
        final Map<String, Long> messages = new HashMap<>();
        String category = "";
        long hits;
        long exclusive;
        long shadow;
        long overridden;
    }

    /// The counts of one filter.
    static final class OfFilter {
        long suspects;
        long refuted;

        private void add(FilterHits hits) {
            suspects += hits.suspects();
            refuted += hits.refuted();
        }
    }

    private record Identifier(String kind, String value, String where) {}

    /// Counts the findings of a decision; the newest one comes first.
    void add(DecisionFindings decision) {
        for (FilterHits hits : decision.filters()) {
            filters.computeIfAbsent(hits.filter(), _ -> new OfFilter()).add(hits);
        }
        if (!decision.feed().isEmpty()) {
            feeds.computeIfAbsent(decision.feed(), _ -> new OfFeed())
                    .messages
                    .merge(decision.enforced(), 1L, Long::sum);
        }
        List<RecordedFinding> findings = decision.found().stream()
                .filter(finding -> !finding.feed().isEmpty())
                .toList();
        Map<Identifier, Set<String>> feedsOf = new HashMap<>();
        findings.forEach(finding ->
                feedsOf.computeIfAbsent(identify(finding), _ -> new HashSet<>()).add(finding.feed()));
        for (RecordedFinding finding : findings) {
            OfFeed feed = feeds.computeIfAbsent(finding.feed(), _ -> new OfFeed());
            feed.category = feed.category.isEmpty() ? finding.category() : feed.category;
            feed.hits++;
            feed.exclusive += feedsOf.getOrDefault(identify(finding), Set.of()).size() == 1 ? 1 : 0;
            feed.shadow += decision.would().containsKey(finding.feed()) ? 1 : 0;
            feed.overridden += finding.exception().isEmpty() ? 0 : 1;
            finding.firstSeen().ifPresent(first -> feed.ages.add(Duration.between(first, decision.time())));
            finding.listed().ifPresentOrElse(key -> remember(feed.byKey, key), () -> untold++);
        }
    }

    private static Identifier identify(RecordedFinding finding) {
        return new Identifier(finding.kind(), finding.value(), finding.where());
    }

    private void remember(Map<Key, Long> byKey, Key key) {
        if (byKey.containsKey(key) || keys < MAX_KEYS) {
            keys += byKey.merge(key, 1L, Long::sum) == 1 ? 1 : 0;
        } else {
            untold++;
        }
    }

    Map<String, OfFeed> feeds() {
        return feeds;
    }

    /// The total of the filters with these names.
    OfFilter of(Set<String> names) {
        OfFilter all = new OfFilter();
        names.stream().filter(filters::containsKey).map(filters::get).forEach(filter -> {
            all.suspects += filter.suspects;
            all.refuted += filter.refuted;
        });
        return all;
    }

    /// Hits for which it is unknown whether they are still listed.
    long untold() {
        return untold;
    }
}
