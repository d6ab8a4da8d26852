package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Hashes of keys in memory of the caller, in parts of adjacent hashes: those of the shards of a [FuseShape]. Not
/// thread-safe.
public final class HashPartitions {
    /// The number of hashes that are buffered before they are copied, for all parts together.
    private static final int MAX_BUFFERED = 1 << 20;

    private static final int MAX_AT_ONCE = 1 << 10;

    private final MemorySegment memory;
    private final FuseShape shape;
    private final int atOnce;
    private final long[] buffers;
    private final int[] buffered;
    private final int[] counts;

    /// @param memory [#bytes] of these keys
    /// @param keys the number of hashes that can be added
    public HashPartitions(MemorySegment memory, long keys) {
        this(memory, FuseShape.of(keys));
    }

    HashPartitions(MemorySegment memory, FuseShape shape) {
        this.memory = memory;
        this.shape = shape;
        atOnce = Math.clamp(MAX_BUFFERED / shape.shards(), 1, MAX_AT_ONCE);
        buffers = new long[Math.multiplyExact(shape.shards(), atOnce)];
        buffered = new int[shape.shards()];
        counts = new int[shape.shards()];
    }

    /// The memory for the hashes of this many keys.
    public static long bytes(long keys) {
        return FuseShape.of(keys).waitingBytes();
    }

    public int parts() {
        return shape.shards();
    }

    /// The most hashes of a part.
    public int maxCount() {
        return shape.keysPerShard();
    }

    /// @throws FilterFullException if a part gets too many hashes
    public void add(long keyHash) {
        int part = shape.shard(keyHash);
        buffers[part * atOnce + buffered[part]++] = keyHash;
        if (buffered[part] == atOnce) {
            flush(part);
        }
    }

    private void flush(int part) {
        int count = buffered[part];
        if (counts[part] + count > maxCount()) {
            throw new FilterFullException("more hashes than the memory is made for, or too many of one shard");
        }
        MemorySegment.copy(buffers, part * atOnce, memory, TwoLine.WORD, at(part, counts[part]), count);
        counts[part] += count;
        buffered[part] = 0;
    }

    /// Copies the hashes that are still buffered. Nothing may be added afterwards.
    public void flush() {
        for (int part = 0; part < parts(); part++) {
            flush(part);
        }
    }

    private long at(int part, int key) {
        return ((long) part * maxCount() + key) * Long.BYTES;
    }

    /// Copies the hashes of a part.
    ///
    /// @param to has room for [#maxCount()]
    /// @return how many there are
    public int read(int part, long[] to) {
        MemorySegment.copy(memory, TwoLine.WORD, at(part, 0), to, 0, counts[part]);
        return counts[part];
    }

    /// Sorts the hashes of a part, as unsigned numbers; equal ones stay once.
    ///
    /// @param room for [#maxCount()]
    /// @return how many there are
    public int sort(int part, long[] room) {
        int count = read(part, room);
        for (int i = 0; i < count; i++) {
            room[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(room, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            long keyHash = room[i] ^ Long.MIN_VALUE;
            if (distinct == 0 || room[distinct - 1] != keyHash) {
                room[distinct++] = keyHash;
            }
        }
        MemorySegment.copy(room, 0, memory, TwoLine.WORD, at(part, 0), distinct);
        counts[part] = distinct;
        return distinct;
    }
}
