package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;

/// Inserts keys in the layout of a line and a fuse filter: the hashes are collected by shard until all are
/// known; then each shard is built on its own.
final class FuseInsertion implements Insertion {
    private final MemorySegment body;
    private final FilterSizing sizing;
    private final FuseShape shape;
    private final HashPartitions waiting;
    private Workers workers = Workers.CALLER;
    private int parts = 1;

    /// @param waiting [FilterSizing#waitingBytes()] bytes
    FuseInsertion(MemorySegment body, MemorySegment waiting, FilterSizing sizing) {
        this.body = body;
        this.sizing = sizing;
        this.shape = sizing.fuse();
        this.waiting = new HashPartitions(waiting, shape);
    }

    @Override
    public void inBulk(long memoryBytes, Workers workers) {
        this.workers = workers;
        long most = memoryBytes / FuseShard.HEAP_PER_KEY / shape.keysPerShard();
        parts = Math.clamp(most, 1, Math.min(workers.parts(), shape.shards()));
    }

    @Override
    public void add(long keyHash) {
        waiting.add(keyHash);
    }

    @Override
    public void finish() {
        waiting.flush();
        workers.run(this::build);
    }

    private void build(int part) {
        if (part < parts) {
            SortedFuseInsertion shards = new SortedFuseInsertion(body, sizing);
            for (int shard = part; shard < shape.shards(); shard += parts) {
                shards.add(shard, waiting);
            }
        }
    }
}
