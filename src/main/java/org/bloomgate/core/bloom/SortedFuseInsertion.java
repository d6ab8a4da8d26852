package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Inserts keys in the layout of a line and a fuse filter in the order of their hashes, so that memory is needed for
/// one shard only. No two shards share a line, because both the shard and the line depend on the upper bits of a hash
/// and every shard has the same number of lines.
final class SortedFuseInsertion implements Insertion {
    private final MemorySegment lines;
    private final MemorySegment fuse;
    private final FilterSizing sizing;
    private final FuseShape shape;
    private final FuseShard prints;
    private final long[] keyHashes;
    private int shard;
    private int count;

    SortedFuseInsertion(MemorySegment body, FilterSizing sizing) {
        this.sizing = sizing;
        shape = sizing.fuse();
        lines = body.asSlice(0, sizing.lineBytes());
        fuse = body.asSlice(sizing.lineBytes());
        prints = new FuseShard(shape);
        keyHashes = new long[shape.keysPerShard()];
    }

    @Override
    public void inBulk(long memoryBytes, Workers workers) {}

    @Override
    public void add(long keyHash) {
        int shardOfKey = shape.shard(keyHash);
        if (shardOfKey < shard) {
            throw new IllegalArgumentException("hashes are not in order");
        }
        if (shardOfKey > shard) {
            finish();
            shard = shardOfKey;
            count = 0;
        }
        if (count == keyHashes.length) {
            throw new FilterFullException("too many keys of one shard");
        }
        keyHashes[count++] = keyHash;
    }

    /// Inserts all keys of a shard.
    void add(int whole, HashPartitions waiting) {
        shard = whole;
        count = waiting.read(whole, keyHashes);
        finish();
    }

    @Override
    public void finish() {
        for (int i = 0; i < count; i++) {
            TwoLine.set(lines, TwoLine.line(keyHashes[i], sizing.lines()), keyHashes[i], sizing.bitsPerLine());
        }
        int attempt = prints.build(shard, keyHashes, count);
        fuse.set(ValueLayout.JAVA_BYTE, shard, (byte) attempt);
        MemorySegment.copy(prints.prints(), 0, fuse, FuseShard.PRINT, shape.at(shard), shape.places());
    }
}
