package org.bloomgate.rebuild;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.bloomgate.exact.ListedFeed;
import org.bloomgate.exact.RocksExactWriter;
import org.bloomgate.exact.StoredListings;
import org.bloomgate.filter.BloomFilterBuilder;
import org.bloomgate.filter.FilterSizing;
import org.bloomgate.key.KeyKind;
import org.bloomgate.snapshot.SnapshotWriter;

/// Writes the filters and the exact store of a snapshot from one walk over the sorted keys, so that they cannot differ.
/// Keys come by kind, so one filter is open at a time.
final class LayerBuild {
    private static final int TICK = 1 << 14;

    private final SortedKeys keys;
    private final List<FeedIntaken> feeds;
    private final RebuildOptions options;
    private final ToLongFunction<KeyKind> seeds;
    private final RebuildProgress progress;

    /// @param feeds those that gave keys, in order of their sources
    LayerBuild(
            SortedKeys keys,
            List<FeedIntaken> feeds,
            RebuildOptions options,
            ToLongFunction<KeyKind> seeds,
            RebuildProgress progress) {
        this.keys = keys;
        this.feeds = feeds;
        this.options = options;
        this.seeds = seeds;
        this.progress = progress;
    }

    /// The feeds of the store; their positions are those that listings refer to.
    List<ListedFeed> listedFeeds() {
        return feeds.stream().map(FeedIntaken::listed).toList();
    }

    /// Writes everything but the manifest.
    List<KindReport> write(SnapshotWriter snapshot, PreviousKeys previous) throws IOException {
        int[] positions = positionsBySource();
        StoredListings listings = new StoredListings();
        long[] seen =
                feeds.stream().mapToLong(feed -> feed.seen().getEpochSecond()).toArray();
        long done = 0;
        Optional<OpenFilter> filter = Optional.empty();
        List<OpenFilter> filters = new ArrayList<>();
        try (KeyCursor key = keys.open();
                RocksExactWriter store = new RocksExactWriter(snapshot.exactDirectory(), listedFeeds())) {
            while (key.next()) {
                if (filter.isEmpty() || filter.get().kind().wireCode() != key.kindCode()) {
                    filter.ifPresent(full -> full.builder().finish());
                    filter = Optional.of(openFilter(snapshot, key.kindCode()));
                    filters.add(filter.get());
                }
                previous.moveTo(key);
                listings.clear();
                for (int i = 0; i < key.sources(); i++) {
                    int feed = positions[key.source(i)];
                    listings.add(feed, previous.firstSeen(feed, seen[feed]), seen[feed], key.count(i));
                }
                filter.get().builder().add(key.octets(), 1, key.end());
                store.put(filter.get().kind(), key.octets(), 1, key.end(), listings);
                if (++done % TICK == 0) {
                    progress.advance(done, keys.keys());
                }
            }
            filter.ifPresent(full -> full.builder().finish());
            previous.finish();
            store.finish();
        }
        return filters.stream().map(written -> report(written, previous)).toList();
    }

    private record OpenFilter(KeyKind kind, FilterSizing sizing, BloomFilterBuilder builder) {}

    private OpenFilter openFilter(SnapshotWriter snapshot, int kindCode) throws IOException {
        KeyKind kind = KeyKind.ofWireCode(kindCode).orElseThrow();
        FilterSizing sizing = FilterSizing.of(keys.keys(kindCode), options.rate(kind), options.headroom());
        return new OpenFilter(kind, sizing, snapshot.filter(kind, sizing, seeds.applyAsLong(kind)));
    }

    private int[] positionsBySource() {
        int[] positions = new int[SortBuffer.MAX_SOURCE + 1];
        Arrays.fill(positions, -1);
        for (int i = 0; i < feeds.size(); i++) {
            positions[feeds.get(i).source()] = i;
        }
        return positions;
    }

    private KindReport report(OpenFilter written, PreviousKeys previous) {
        int kindCode = written.kind().wireCode();
        long count = keys.keys(kindCode);
        return new KindReport(
                written.kind(),
                count,
                written.sizing().bodyBytes(),
                written.sizing().targetRate(),
                written.sizing().predictedRate(count),
                previous.added(kindCode),
                previous.removed(kindCode));
    }
}
