package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Inserts keys in the two-line layout, one by one or in bulk.
final class TwoLineInsertion implements Insertion {
    /// Heap for a pending key: its hash, and the words of both lines.
    private static final int BYTES_PER_PENDING_KEY = 3 * Long.BYTES;

    /// The most pending keys: more keys at once are not faster, and the words of these fit an array.
    private static final int MAX_PENDING = 1 << 26;

    private final MemorySegment body;
    private final FilterSizing sizing;
    private Optional<RadixInsertion> bulk = Optional.empty();
    private long[] pending = new long[0];
    private int waiting;

    TwoLineInsertion(MemorySegment body, FilterSizing sizing) {
        this.body = body;
        this.sizing = sizing;
    }

    @Override
    public void inBulk(long memoryBytes, Workers workers) {
        insertPending();
        if (RadixInsertion.pays(sizing)) {
            long keys = Math.clamp(sizing.capacity(), 1, memoryBytes / BYTES_PER_PENDING_KEY);
            pending = new long[Math.clamp(keys, 1, MAX_PENDING)];
            bulk = Optional.of(new RadixInsertion(body, sizing, pending.length, workers));
        }
    }

    @Override
    public void add(long keyHash) {
        if (pending.length > 0) {
            pending[waiting++] = keyHash;
            if (waiting == pending.length) {
                insertPending();
            }
            return;
        }
        long second = TwoLine.second(keyHash);
        TwoLine.set(body, TwoLine.line(keyHash, sizing.lines()), keyHash, sizing.bitsPerLine());
        TwoLine.set(body, TwoLine.line(second, sizing.lines()), second, sizing.bitsPerLine());
    }

    private void insertPending() {
        bulk.ifPresent(insertion -> insertion.insert(pending, waiting));
        waiting = 0;
    }

    @Override
    public void finish() {
        insertPending();
        bulk = Optional.empty();
        pending = new long[0];
    }
}
