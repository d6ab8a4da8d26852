package org.bloomgate.layer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bloomgate.background.Background;
import org.bloomgate.filter.BloomFilter;
import org.bloomgate.filter.FilterFormat;
import org.bloomgate.filter.FilterRefusedException;
import org.bloomgate.key.CanonicalForm;
import org.bloomgate.key.KeyKind;
import org.bloomgate.range.AddressRanges;
import org.bloomgate.range.RangeFormat;
import org.bloomgate.range.RangesRefusedException;
import org.bloomgate.snapshot.SnapshotWriter;
import org.bloomgate.sort.KeyCursor;

/// Asks the filters and ranges of a snapshot for every key, in batches whose cache misses overlap, on a thread for
/// each processor. Filters are mapped one after the other, as keys of their kind come. Used by one thread.
final class FilterProof implements AutoCloseable {
    private static final int BATCH = 1 << 14;

    private final SnapshotWriter snapshot;
    private final Arena arena = Arena.ofShared();
    private final int threads =
            Math.min(WorkerThreads.MAX_PARTS, Runtime.getRuntime().availableProcessors());
    private final ExecutorService asking = Executors.newFixedThreadPool(threads, Background.threads("proof"));
    private final Deque<Asked> asked = new ArrayDeque<>();
    private Batch batch = new Batch();
    private Optional<BloomFilter> filter = Optional.empty();
    private Optional<AddressRanges> ranges = Optional.empty();
    private int kindCode;
    private long misses;

    private record Asked(Batch batch, Future<Integer> missing) {}

    /// Keys, and room to ask for them.
    private static final class Batch {
        private final KeyBatch keys = new KeyBatch(BATCH);
        private final long[] hashes = new long[BATCH];
        private final int[] found = new int[BATCH];

        int missing(BloomFilter of) {
            for (int i = 0; i < keys.size(); i++) {
                hashes[i] = of.hash().hash(keys.octets(), keys.from(i), keys.to(i));
            }
            return keys.size() - of.suspects(hashes, keys.size(), found);
        }
    }

    FilterProof(SnapshotWriter snapshot) {
        this.snapshot = snapshot;
    }

    void ask(KeyCursor key) throws IOException, FilterRefusedException, RangesRefusedException {
        if (key.kindCode() == KeyKind.NETWORK.wireCode()) {
            askRanges(key);
            return;
        }
        if (filter.isEmpty() || kindCode != key.kindCode()) {
            handOver();
            filter = Optional.of(open(key.kindCode()));
            kindCode = key.kindCode();
        }
        batch.keys.add(key);
        if (batch.keys.isFull()) {
            handOver();
        }
    }

    private void askRanges(KeyCursor key) throws IOException, RangesRefusedException {
        if (ranges.isEmpty()) {
            MemorySegment mapped = mapped(snapshot.networksFile());
            ranges = Optional.of(RangeFormat.open(mapped, CanonicalForm.VERSION));
        }
        misses += ranges.get().covers(key.octets(), 1, key.end()) ? 0 : 1;
    }

    private MemorySegment mapped(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    private BloomFilter open(int kind) throws IOException, FilterRefusedException {
        KeyKind of = KeyKind.ofWireCode(kind).orElseThrow();
        return FilterFormat.open(mapped(snapshot.filterFile(of)), kind, CanonicalForm.VERSION);
    }

    /// Has a batch asked while the next one is made.
    private void handOver() {
        Batch full = batch;
        if (full.keys.size() > 0) {
            BloomFilter of = filter.orElseThrow();
            asked.add(new Asked(full, asking.submit(() -> full.missing(of))));
            batch = asked.size() > threads ? answered() : new Batch();
        }
    }

    /// Waits for the batch that was handed over first, which is free again.
    private Batch answered() {
        Asked oldest = asked.remove();
        misses += WorkerThreads.result(oldest.missing());
        oldest.batch().keys.clear();
        return oldest.batch();
    }

    /// Keys that their filter denies, of all keys asked.
    long misses() {
        handOver();
        while (!asked.isEmpty()) {
            batch = answered();
        }
        return misses;
    }

    /// Waits for the batches that are being asked: the filters are unmapped behind it.
    @Override
    public void close() {
        asking.close();
        arena.close();
    }
}
