package org.bloomgate.journal;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.bloomgate.filter.SmallFilter;

/// The terms of some decisions, as hashes in a buffer that is used again, and the second of the latest one. Used by
/// one thread.
final class BlockTerms {
    private static final int FIRST_CAPACITY = 1 << 12;

    private long[] hashes = new long[FIRST_CAPACITY];
    private int size;
    private long latest;

    void add(Decision decision) {
        SearchTerm.of(decision, this::add);
        latest = Math.max(latest, decision.time().getEpochSecond());
    }

    private void add(long hash) {
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * size);
        }
        hashes[size++] = hash;
    }

    void moveTo(BlockTerms other) {
        for (int i = 0; i < size; i++) {
            other.add(hashes[i]);
        }
        other.latest = Math.max(other.latest, latest);
        clear();
    }

    void clear() {
        size = 0;
        latest = 0;
    }

    long latest() {
        return latest;
    }

    /// A filter that holds all of them.
    SmallFilter filter() {
        fold();
        SmallFilter filter = new SmallFilter(MemorySegment.ofArray(new byte[SmallFilter.bytes(size)]));
        for (int i = 0; i < size; i++) {
            filter.add(hashes[i]);
        }
        return filter;
    }

    /// Leaves one of equal hashes.
    private void fold() {
        Arrays.sort(hashes, 0, size);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (i == 0 || hashes[i] != hashes[i - 1]) {
                hashes[kept++] = hashes[i];
            }
        }
        size = kept;
    }
}
