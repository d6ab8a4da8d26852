package org.bloomgate.rebuild;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.bloomgate.exact.ListedFeed;
import org.bloomgate.exact.SortedStores;
import org.bloomgate.exact.StoreWriter;
import org.bloomgate.exact.StoredListings;
import org.bloomgate.filter.BloomFilterBuilder;
import org.bloomgate.filter.FilterSizing;
import org.bloomgate.filter.Workers;
import org.bloomgate.key.KeyKind;
import org.bloomgate.rebuild.RebuildReport.KindReport;
import org.bloomgate.snapshot.SnapshotWriter;
import org.bloomgate.sort.KeyCursor;
import org.bloomgate.sort.SortedKeys;

/// Writes the filters and the exact store of a snapshot from one walk over the sorted keys, so that they cannot
/// differ. Keys come by kind, so one filter is open at a time.
final class LayerBuild {
    private static final int TICK = 1 << 14;

    private final SortedKeys keys;
    private final List<ListedFeed> feeds;
    private final KeyListings listings;
    private final FilterPlan plan;
    private final RebuildOptions options;
    private final ToLongFunction<KeyKind> seeds;
    private final RebuildProgress progress;

    /// @param sources of the keys
    /// @param plan for these keys
    LayerBuild(
            SortedKeys keys,
            List<KeySource> sources,
            FilterPlan plan,
            RebuildOptions options,
            ToLongFunction<KeyKind> seeds,
            RebuildProgress progress) {
        this.keys = keys;
        feeds = sources.stream().map(KeySource::listed).distinct().toList();
        listings = new KeyListings(sources, feeds);
        this.plan = plan;
        this.options = options;
        this.seeds = seeds;
        this.progress = progress;
    }

    /// The feeds of the store; their positions are those that listings refer to.
    List<ListedFeed> listedFeeds() {
        return feeds;
    }

    /// What makes listings of the sources of a key.
    KeyListings listings() {
        return listings;
    }

    /// Writes everything but the manifest.
    List<KindReport> write(SnapshotWriter snapshot, SortedStores stores, PreviousKeys previous, BlastRadius blast)
            throws IOException {
        StoredListings stored = new StoredListings();
        long done = 0;
        Optional<OpenFilter> filter = Optional.empty();
        List<OpenFilter> filters = new ArrayList<>();
        try (WorkerThreads workers = new WorkerThreads();
                KeyCursor key = keys.open();
                StoreWriter store = stores.create(snapshot.exactDirectory(), feeds)) {
            while (key.next()) {
                if (filter.isEmpty() || filter.get().kind().wireCode() != key.kindCode()) {
                    filter.ifPresent(full -> full.builder().finish());
                    filter = Optional.of(openFilter(snapshot, key.kindCode(), workers));
                    filters.add(filter.get());
                }
                previous.moveTo(key);
                listings.take(key);
                previous.compare(key, listings);
                blast.take(key, listings, previous);
                listings.store(key, previous, stored);
                filter.get().builder().add(key.octets(), 1, key.end());
                store.put(filter.get().kind(), key.octets(), 1, key.end(), stored);
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

    private OpenFilter openFilter(SnapshotWriter snapshot, int kindCode, Workers workers) throws IOException {
        KeyKind kind = KeyKind.ofWireCode(kindCode).orElseThrow();
        FilterSizing sizing = plan.of(kind);
        BloomFilterBuilder builder =
                snapshot.filter(kind, sizing, seeds.applyAsLong(kind)).inBulk(options.sortMemoryBytes() / 2, workers);
        return new OpenFilter(kind, sizing, builder);
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
