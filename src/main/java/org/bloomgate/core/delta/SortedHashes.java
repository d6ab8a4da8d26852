package org.bloomgate.core.delta;

import java.util.List;
import org.bloomgate.core.bloom.HashPartitions;

/// The list of hashes that were added to partitions in any order; equal ones count once. It is sorted part by part,
/// so that the heap holds one part.
public final class SortedHashes implements HashList {
    private final HashPartitions partitions;
    private final List<byte[]> canaries;
    private long size;

    /// @param partitions are sorted by this call
    public SortedHashes(HashPartitions partitions, List<byte[]> canaries) {
        this.partitions = partitions;
        this.canaries = List.copyOf(canaries);
        long[] room = new long[partitions.maxCount()];
        for (int part = 0; part < partitions.parts(); part++) {
            size += partitions.sort(part, room);
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public List<byte[]> canaries() {
        return canaries;
    }

    @Override
    public NumberCursor open() {
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
}
