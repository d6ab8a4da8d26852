package org.bloomgate.lists.report;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.decision.journal.Decision.Found;
import org.bloomgate.decision.journal.Sighting;
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

    /// Counts a sighting; the newest one comes first.
    void add(Sighting sighting) {
        for (FilterHits hits : sighting.filters()) {
            filters.computeIfAbsent(hits.filter(), _ -> new OfFilter()).add(hits);
        }
        if (!sighting.feed().isEmpty()) {
            feeds.computeIfAbsent(sighting.feed(), _ -> new OfFeed())
                    .messages
                    .merge(sighting.enforced(), 1L, Long::sum);
        }
        List<Found> found =
                sighting.found().stream().filter(one -> !one.feed().isEmpty()).toList();
        Map<Identifier, Set<String>> feedsOf = new HashMap<>();
        found.forEach(
                one -> feedsOf.computeIfAbsent(of(one), _ -> new HashSet<>()).add(one.feed()));
        for (Found one : found) {
            OfFeed feed = feeds.computeIfAbsent(one.feed(), _ -> new OfFeed());
            feed.category = feed.category.isEmpty() ? one.category() : feed.category;
            feed.hits++;
            feed.exclusive += feedsOf.getOrDefault(of(one), Set.of()).size() == 1 ? 1 : 0;
            feed.shadow += sighting.would().containsKey(one.feed()) ? 1 : 0;
            feed.overridden += one.exception().isEmpty() ? 0 : 1;
            one.firstSeen().ifPresent(first -> feed.ages.add(Duration.between(first, sighting.time())));
            one.listed().ifPresentOrElse(key -> remember(feed.byKey, key), () -> untold++);
        }
    }

    private static Identifier of(Found one) {
        return new Identifier(one.kind(), one.value(), one.where());
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
        names.stream().filter(filters::containsKey).map(filters::get).forEach(one -> {
            all.suspects += one.suspects;
            all.refuted += one.refuted;
        });
        return all;
    }

    /// Hits for which it is unknown whether they are still listed.
    long untold() {
        return untold;
    }
}
