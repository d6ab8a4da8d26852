package org.bloomgate.lists.layer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import org.bloomgate.base.concurrent.TaskResult;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterFormat;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.bloom.Workers;
import org.bloomgate.core.cidr.RangeBuilder;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.layer.RebuildReport.KindReport;
import org.bloomgate.lists.snapshot.SnapshotWriter;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lists.sort.SortedKeys;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.StoreWriter;
import org.bloomgate.lookup.store.StoredListings;

/// Writes the filters, the ranges and the exact store of a snapshot in one pass over the sorted keys, so that
/// they cannot differ. Keys are sorted by kind, so only one filter is open at a time.
public final class LayerBuild {
    private static final int TICK = 1 << 14;

    private final SortedKeys keys;
    private final List<ListedFeed> feeds;
    private final KeyListings listings;
    private final FilterPlan plan;
    private final RebuildOptions options;
    private final ToLongFunction<KeyKind> seeds;
    private final HashFiles hashFiles;
    private final RebuildProgress progress;

    /// @param sources of the keys
    /// @param plan sizes of the filters
    public LayerBuild(
            SortedKeys keys,
            List<KeySource> sources,
            FilterPlan plan,
            RebuildOptions options,
            ToLongFunction<KeyKind> seeds,
            HashFiles hashFiles,
            RebuildProgress progress) {
        this.keys = keys;
        feeds = sources.stream().map(KeySource::toListedFeed).distinct().toList();
        listings = new KeyListings(sources, feeds);
        this.plan = plan;
        this.options = options;
        this.seeds = seeds;
        this.hashFiles = hashFiles;
        this.progress = progress;
    }

    /// The feeds of the store; their positions are those that listings refer to.
    public List<ListedFeed> listedFeeds() {
        return feeds;
    }

    /// Combines the sources of a key into listings.
    public KeyListings listings() {
        return listings;
    }

    /// Writes everything but the manifest.
    public List<KindReport> write(SnapshotWriter snapshot, PreviousKeys previous, BlastRadius blast)
            throws IOException {
        blast.begin(feeds, previous.feeds());
        StoredListings stored = new StoredListings();
        long doneKeys = 0;
        Optional<OpenKind> open = Optional.empty();
        List<OpenKind> kinds = new ArrayList<>();
        try (WorkerThreads workers = new WorkerThreads();
                KeyCursor key = keys.open();
                StoreThread store = new StoreThread(StoreWriter.create(snapshot.exactDirectory(), feeds))) {
            while (key.next()) {
                if (open.isEmpty() || open.get().kind().wireCode() != key.kindCode()) {
                    finish(open, snapshot, workers);
                    open = Optional.of(openKind(snapshot, key.kindCode(), workers));
                    kinds.add(open.get());
                }
                previous.moveTo(key);
                listings.set(key);
                previous.compare(key, listings);
                blast.add(key, listings, previous);
                listings.store(key, previous, stored);
                open.get().add(key);
                store.put(key, stored);
                if (++doneKeys % TICK == 0) {
                    progress.advance(doneKeys, keys.keys());
                }
            }
            store.finish();
            finish(open, snapshot, workers);
            previous.finish();
            store.awaitFinish();
        }
        return kinds.stream().map(kind -> createReport(kind, previous)).toList();
    }

    /// The filter or the ranges of one kind while they are built.
    private sealed interface OpenKind {
        KeyKind kind();

        default void add(KeyCursor key) {
            switch (this) {
                case OpenFilter filter -> filter.hashes().add(filter.builder().add(key.bytes(), 1, key.end()));
                case OpenRanges ranges -> ranges.builder().add(key.bytes(), 1, key.end());
            }
        }
    }

    private record OpenFilter(
            KeyKind kind, FilterSizing sizing, BloomFilterBuilder builder, HashFiles.FilterHashes hashes)
            implements OpenKind {}

    private record OpenRanges(KeyKind kind, RangeBuilder builder) implements OpenKind {}

    private OpenKind openKind(SnapshotWriter snapshot, int kindCode, Workers workers) throws IOException {
        KeyKind kind = KeyKind.ofWireCode(kindCode).orElseThrow();
        return kind.rules().hasRanges()
                ? new OpenRanges(kind, new RangeBuilder(CanonicalForm.VERSION))
                : openFilter(snapshot, kind, workers);
    }

    private OpenFilter openFilter(SnapshotWriter snapshot, KeyKind kind, Workers workers) throws IOException {
        FilterSizing sizing = plan.findSizing(kind);
        long seed = seeds.applyAsLong(kind);
        BloomFilterBuilder builder =
                snapshot.beginFilter(kind, sizing, seed).inBulk(options.sortMemoryBytes() / 2, workers);
        long count = keys.keys(kind.wireCode());
        long filterBytes = FilterFormat.HEADER_BYTES + sizing.bodyBytes();
        return new OpenFilter(kind, sizing, builder, hashFiles.beginFilter(snapshot, kind, seed, count, filterBytes));
    }

    private static void finish(Optional<OpenKind> open, SnapshotWriter snapshot, WorkerThreads workers)
            throws IOException {
        if (open.isPresent()) {
            switch (open.get()) {
                case OpenFilter filter -> finish(filter, snapshot, workers);
                case OpenRanges ranges -> snapshot.writeNetworks(ranges.builder());
            }
        }
    }

    /// Finishes the filter while the hashes of its keys are sorted and written.
    private static void finish(OpenFilter filter, SnapshotWriter snapshot, WorkerThreads workers) throws IOException {
        List<byte[]> canaries = filter.builder().canaries();
        Future<?> hashes = workers.begin(() -> filter.hashes().write(snapshot.directory(), canaries));
        BloomFilter _ = filter.builder().finish();
        Object _ = TaskResult.await(hashes, "the hashes of the keys were written");
    }

    /// Ranges are exact: their false positive rates are 0.
    private KindReport createReport(OpenKind kind, PreviousKeys previous) {
        int kindCode = kind.kind().wireCode();
        long count = keys.keys(kindCode);
        long added = previous.countAdded(kindCode);
        long removed = previous.countRemoved(kindCode);
        return switch (kind) {
            case OpenFilter filter ->
                new KindReport(
                        filter.kind(),
                        count,
                        filter.sizing().bodyBytes(),
                        filter.sizing().targetRate(),
                        filter.sizing().predictedRate(count),
                        added,
                        removed);
            case OpenRanges ranges ->
                new KindReport(ranges.kind(), count, ranges.builder().fileBytes(), 0, 0, added, removed);
        };
    }
}
