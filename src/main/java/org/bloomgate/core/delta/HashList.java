package org.bloomgate.core.delta;

import java.util.Arrays;
import java.util.List;

/// The sorted hashes of the keys of a filter, and a few whole keys of it as canaries. Its bytes are the change
/// since another list, see [HashChange], or the whole list, which is the change since the empty one. Immutable
/// as long as no caller writes to the array that it returns.
public final class HashList {
    /// Lists with more hashes are neither written nor read: two of them and their change fit a small heap.
    public static final int MAX_HASHES = 1 << 25;

    /// The empty list.
    public static final HashList EMPTY = new HashList(new long[0], List.of());

    private final long[] hashes;
    private final List<byte[]> canaries;

    HashList(long[] hashes, List<byte[]> canaries) {
        this.hashes = hashes;
        this.canaries = canaries;
    }

    /// The hashes, strictly ascending as unsigned numbers. Not a copy.
    public long[] hashes() {
        return hashes;
    }

    /// The canaries, in their order in the filter.
    public List<byte[]> canaries() {
        return canaries;
    }

    /// The list of unsorted hashes; equal ones count once.
    ///
    /// @param unsorted is sorted by this call
    public static HashList of(long[] unsorted, int count, List<byte[]> canaries) {
        for (int i = 0; i < count; i++) {
            unsorted[i] ^= Long.MIN_VALUE;
        }
        Arrays.parallelSort(unsorted, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            long hash = unsorted[i] ^ Long.MIN_VALUE;
            if (distinct == 0 || unsorted[distinct - 1] != hash) {
                unsorted[distinct++] = hash;
            }
        }
        return new HashList(Arrays.copyOf(unsorted, distinct), List.copyOf(canaries));
    }

    /// The bytes of the whole list.
    public byte[] whole() {
        return HashChange.fromEmpty(this).encode();
    }

    /// The bytes of the change from an earlier list to this one.
    public byte[] since(HashList before) {
        return HashChange.between(before, this).encode();
    }

    /// Reads a whole list.
    public static HashList read(byte[] bytes) throws DeltaRefusedException {
        return EMPTY.with(bytes);
    }

    /// The list after a change of this one.
    ///
    /// @throws DeltaRefusedException if these bytes are not a list, or a list of another length
    public HashList with(byte[] change) throws DeltaRefusedException {
        return HashChange.decode(change, hashes.length).applyTo(this);
    }
}
