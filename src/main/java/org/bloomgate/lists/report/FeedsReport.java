package org.bloomgate.lists.report;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Key;
import org.bloomgate.decision.journal.JournalScan;
import org.bloomgate.lists.fetch.FeedCost;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Listing;

/// The use of each feed, from the current snapshots and the decisions since an instant.
///
/// @param since earlier decisions are not read
/// @param decisions number of decisions read
/// @param suspects keys in them for which a filter was positive
/// @param unreadable lines of the journal that are torn or too long
/// @param untold hits for which it is unknown whether they are still listed: only [HitCounts#MAX_KEYS] keys are
///     remembered, and the journal truncates long keys
/// @param feeds with most hits first, then by name
public record FeedsReport(
        Instant since, long decisions, long suspects, long unreadable, long untold, List<FeedRow> feeds) {
    /// Keys of one lookup.
    private static final int BATCH_KEYS = 1_000;

    /// A store on this machine answers a batch in milliseconds.
    private static final Duration LOOKUP_TIMEOUT = Duration.ofMinutes(1);

    public FeedsReport {
        feeds = List.copyOf(feeds);
    }

    /// Further facts about feeds.
    ///
    /// @param errors values that each feed lists wrongly, as operators confirmed since the instant
    /// @param costs of the feeds that were fetched on this machine
    public record Known(Map<String, Set<Key>> errors, Map<String, FeedCost> costs) {
        public Known {
            errors = Map.copyOf(errors);
            costs = Map.copyOf(costs);
        }
    }

    /// @param decisions directory of the journal
    /// @param snapshots root of the snapshot directories; without a snapshot nothing is listed
    public static FeedsReport since(Instant since, Path decisions, Path snapshots, Known known) throws IOException {
        HitCounts hits = new HitCounts();
        JournalScan.Totals totals = JournalScan.scan(since, decisions, hits::add);
        Map<String, SortedStore> open = new TreeMap<>();
        try {
            for (LayerDirectory layer : LayerDirectory.listAll(snapshots)) {
                Optional<String> current = layer.readCurrent();
                if (current.isPresent()) {
                    open.put(layer.name(), SortedStore.open(layer.resolveExactDirectory(current.get())));
                }
            }
            EntryCounts entries = new EntryCounts();
            entries.add(open);
            return new FeedsReport(
                    since,
                    totals.decisions(),
                    totals.suspects(),
                    totals.unreadable(),
                    hits.untold(),
                    rows(entries, hits, known, List.copyOf(open.values())));
        } finally {
            open.values().forEach(SortedStore::close);
        }
    }

    /// The hits of each feed, overridden ones included. Reads no snapshot.
    public static Map<String, Long> countHits(Instant since, Path decisions) throws IOException {
        HitCounts hits = new HitCounts();
        JournalScan.scan(since, decisions, hits::add);
        return hits.feeds().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, feed -> feed.getValue().hits));
    }

    private static List<FeedRow> rows(EntryCounts entries, HitCounts hits, Known known, List<SortedStore> stores) {
        Set<String> names = new TreeSet<>(entries.feeds().keySet());
        names.addAll(hits.feeds().keySet());
        names.addAll(known.errors().keySet());
        return names.stream()
                .map(name -> row(name, Optional.ofNullable(entries.feeds().get(name)), hits, known, stores))
                .sorted(Comparator.comparingLong(FeedRow::hits).reversed().thenComparing(FeedRow::feed))
                .toList();
    }

    private static FeedRow row(
            String name, Optional<EntryCounts.OfFeed> entries, HitCounts hits, Known known, List<SortedStore> stores) {
        HitCounts.OfFeed hit = Optional.ofNullable(hits.feeds().get(name)).orElseGet(HitCounts.OfFeed::new);
        HitCounts.OfFilter filters = hits.of(entries.map(feed -> feed.filters).orElse(Set.of()));
        Optional<FeedCost> cost = Optional.ofNullable(known.costs().get(name));
        return new FeedRow(
                name,
                entries.map(feed -> feed.category).orElse(hit.category),
                entries.map(feed -> feed.entries).orElse(0L),
                entries.map(feed -> feed.exclusive).orElse(0L),
                entries.map(feed -> feed.overlap).orElse(Map.of()),
                hit.messages,
                hit.hits,
                hit.exclusive,
                hit.shadow,
                hit.overridden,
                known.errors().getOrDefault(name, Set.of()).size(),
                dropped(name, hit.byKey, stores),
                hit.ages.median(),
                filters.suspects,
                filters.refuted,
                cost.map(feed -> OptionalLong.of(feed.bytes())).orElse(OptionalLong.empty()),
                cost.map(feed -> OptionalDouble.of(feed.seconds())).orElse(OptionalDouble.empty()));
    }

    /// The number of hits on keys that the feed no longer lists in any store.
    private static long dropped(String feed, Map<Key, Long> hits, List<SortedStore> stores) {
        List<Key> keys = List.copyOf(hits.keySet());
        long dropped = 0;
        for (int from = 0; from < keys.size(); from += BATCH_KEYS) {
            List<Key> batch = keys.subList(from, Math.min(keys.size(), from + BATCH_KEYS));
            Set<Key> listed = stores.stream()
                    .flatMap(store -> store.lookup(batch, LOOKUP_TIMEOUT).stream())
                    .flatMap(answer -> listings(answer).stream())
                    .filter(listing -> listing.feed().equals(feed))
                    .map(Listing::key)
                    .collect(Collectors.toSet());
            dropped += batch.stream()
                    .filter(key -> !listed.contains(key))
                    .mapToLong(hits::get)
                    .sum();
        }
        return dropped;
    }

    private static List<Listing> listings(ExactAnswer answer) {
        return switch (answer) {
            case ExactAnswer.Listed listed -> listed.listings();
            case ExactAnswer.NotListed _ -> List.of();
            case ExactAnswer.Unknown unknown -> unknown.listed();
        };
    }
}
