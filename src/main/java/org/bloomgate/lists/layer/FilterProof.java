package org.bloomgate.lists.layer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.FilterFormat;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.cidr.RangeFormat;
import org.bloomgate.core.cidr.RangesRefusedException;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.snapshot.SnapshotWriter;
import org.bloomgate.lists.sort.KeyCursor;

/// Tests every key in the filters and ranges of a snapshot, in batches whose cache misses overlap, on a thread
/// of its own. A filter is mapped when the first key of its kind is tested.
final class FilterProof implements AutoCloseable {
    private static final int BATCH = 1 << 14;

    private final SnapshotWriter snapshot;
    private final Arena arena = Arena.ofShared();
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(BackgroundTask.createThreadFactory("proof"));
    private final int[] foundIndexes = new int[BATCH];
    private long[] hashes = new long[BATCH];
    private long[] testedHashes = new long[BATCH];
    private Optional<Future<Integer>> pendingMisses = Optional.empty();
    private Optional<BloomFilter> filter = Optional.empty();
    private Optional<AddressRanges> ranges = Optional.empty();
    private int kindCode;
    private int waitingCount;
    private long misses;

    FilterProof(SnapshotWriter snapshot) {
        this.snapshot = snapshot;
    }

    void test(KeyCursor key) throws IOException, FilterRefusedException, RangesRefusedException {
        if (key.kindCode() == KeyKind.NETWORK.wireCode()) {
            testRanges(key);
            return;
        }
        if (filter.isEmpty() || kindCode != key.kindCode()) {
            testWaiting();
            filter = Optional.of(open(key.kindCode()));
            kindCode = key.kindCode();
        }
        hashes[waitingCount++] = filter.get().hash().hash(key.bytes(), 1, key.end());
        if (waitingCount == BATCH) {
            testWaiting();
        }
    }

    private void testRanges(KeyCursor key) throws IOException, RangesRefusedException {
        if (ranges.isEmpty()) {
            MemorySegment mapped = map(snapshot.networksFile());
            ranges = Optional.of(RangeFormat.open(mapped, CanonicalForm.VERSION));
        }
        misses += ranges.get().covers(key.bytes(), 1, key.end()) ? 0 : 1;
    }

    private MemorySegment map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    private BloomFilter open(int kind) throws IOException, FilterRefusedException {
        Path file = snapshot.resolveFilterFile(KeyKind.ofWireCode(kind).orElseThrow());
        return FilterFormat.open(map(file), kind, CanonicalForm.VERSION);
    }

    /// Tests one batch while the next one is collected.
    private void testWaiting() {
        awaitBatch();
        int count = waitingCount;
        long[] batch = hashes;
        hashes = testedHashes;
        testedHashes = batch;
        pendingMisses = filter.map(
                testedFilter -> thread.submit(() -> count - testedFilter.suspects(batch, count, foundIndexes)));
        waitingCount = 0;
    }

    private void awaitBatch() {
        if (pendingMisses.isPresent()) {
            misses += WorkerThreads.awaitResult(pendingMisses.get());
            pendingMisses = Optional.empty();
        }
    }

    /// Keys that their filter denies, of all keys tested.
    long countMisses() {
        testWaiting();
        awaitBatch();
        return misses;
    }

    /// Waits for the current batch: the filters are unmapped afterwards.
    @Override
    public void close() {
        thread.close();
        arena.close();
    }
}
