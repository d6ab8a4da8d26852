package org.bloomgate.core.delta;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import org.bloomgate.core.bloom.HashPartitions;

/// The sorted hashes of the keys of a filter, and a few whole keys of it as canaries. Its bytes are the whole list,
/// which is the change since the empty one, see [HashChange]. A list is walked and never in memory as a whole.
///
/// @param size number of hashes
/// @param canaries in their order in the filter
/// @param cursors each begins before the first hash; any number of them may be in use
public record HashList(long size, List<byte[]> canaries, Supplier<NumberCursor> cursors) {
    /// The empty list.
    public static final HashList EMPTY = new HashList(0, List.of(), RiceList.NONE::open);

    public HashList {
        canaries = List.copyOf(canaries);
    }

    /// Reads a whole list.
    ///
    /// @param bytes accessible as long as the list is used
    public static HashList read(MemorySegment bytes) throws DeltaRefusedException {
        return HashChange.read(bytes).applyTo(EMPTY);
    }

    /// The list of hashes that were added in any order; equal ones count once. The heap holds one part of them.
    ///
    /// @param partitions are sorted by this call
    public static HashList sort(HashPartitions partitions, List<byte[]> canaries) {
        long[] room = new long[partitions.maxCount()];
        long size = 0;
        for (int part = 0; part < partitions.parts(); part++) {
            size += partitions.sort(part, room);
        }
        return new HashList(size, canaries, () -> walk(partitions));
    }

    private static NumberCursor walk(HashPartitions partitions) {
        return new NumberCursor() {
            private final long[] hashes = new long[partitions.maxCount()];
            private int part;
            private int count;
            private int at = -1;

            @Override
            public boolean next() {
                at++;
                while (at == count && part < partitions.parts()) {
                    count = partitions.read(part++, hashes);
                    at = 0;
                }
                return at < count;
            }

            @Override
            public long number() {
                return hashes[at];
            }
        };
    }

    public NumberCursor open() {
        return cursors.get();
    }

    /// The whole list, to be written.
    public HashChange.Difference whole() {
        return new HashChange.Difference(EMPTY, this, 0, size);
    }
}
