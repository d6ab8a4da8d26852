package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Inserts keys in the layout of a line and a fuse filter: the hashes are collected by shard until all are
/// known; then each shard is built on its own. No two shards share a line, because both the shard and the line
/// depend on the upper bits of a hash and every shard has the same number of lines.
final class FuseInsertion implements Insertion {
    /// The number of hashes that are buffered before they are copied to `waiting`, for all shards together.
    private static final int MAX_BUFFERED = 1 << 20;

    private static final int MAX_AT_ONCE = 1 << 10;

    private final MemorySegment lines;
    private final MemorySegment fuse;
    private final MemorySegment waiting;
    private final FilterSizing sizing;
    private final FuseShape shape;
    private final long[] buffers;
    private final int[] buffered;
    private final int[] counts;
    private final int atOnce;
    private Workers workers = Workers.CALLER;
    private int parts = 1;

    /// @param waiting [FilterSizing#waitingBytes()] bytes
    FuseInsertion(MemorySegment body, MemorySegment waiting, FilterSizing sizing) {
        this.sizing = sizing;
        this.waiting = waiting;
        shape = sizing.fuse();
        lines = body.asSlice(0, sizing.lineBytes());
        fuse = body.asSlice(sizing.lineBytes());
        atOnce = Math.clamp(MAX_BUFFERED / shape.shards(), 1, MAX_AT_ONCE);
        buffers = new long[Math.multiplyExact(shape.shards(), atOnce)];
        buffered = new int[shape.shards()];
        counts = new int[shape.shards()];
    }

    @Override
    public void inBulk(long memoryBytes, Workers workers) {
        this.workers = workers;
        long most = memoryBytes / FuseShard.HEAP_PER_KEY / shape.keysPerShard();
        parts = Math.clamp(most, 1, Math.min(workers.parts(), shape.shards()));
    }

    @Override
    public void add(long keyHash) {
        int shard = shape.shard(keyHash);
        buffers[shard * atOnce + buffered[shard]++] = keyHash;
        if (buffered[shard] == atOnce) {
            move(shard);
        }
    }

    private void move(int shard) {
        int count = buffered[shard];
        if (counts[shard] + count > shape.keysPerShard()) {
            throw new FilterFullException("more than the " + sizing.capacity() + " keys that the filter is made for, or"
                    + " too many of one shard");
        }
        MemorySegment.copy(buffers, shard * atOnce, waiting, TwoLine.WORD, waitingAt(shard, counts[shard]), count);
        counts[shard] += count;
        buffered[shard] = 0;
    }

    private long waitingAt(int shard, int key) {
        return ((long) shard * shape.keysPerShard() + key) * Long.BYTES;
    }

    @Override
    public void finish() {
        for (int shard = 0; shard < shape.shards(); shard++) {
            move(shard);
        }
        workers.run(this::build);
    }

    private void build(int part) {
        if (part < parts) {
            FuseShard prints = new FuseShard(shape);
            long[] keyHashes = new long[shape.keysPerShard()];
            for (int shard = part; shard < shape.shards(); shard += parts) {
                build(shard, prints, keyHashes);
            }
        }
    }

    private void build(int shard, FuseShard prints, long[] keyHashes) {
        int count = counts[shard];
        MemorySegment.copy(waiting, TwoLine.WORD, waitingAt(shard, 0), keyHashes, 0, count);
        for (int i = 0; i < count; i++) {
            TwoLine.set(lines, TwoLine.line(keyHashes[i], sizing.lines()), keyHashes[i], sizing.bitsPerLine());
        }
        int attempt = prints.build(shard, keyHashes, count);
        fuse.set(ValueLayout.JAVA_BYTE, shard, (byte) attempt);
        MemorySegment.copy(prints.prints(), 0, fuse, FuseShard.PRINT, shape.at(shard), shape.places());
    }
}
