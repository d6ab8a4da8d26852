package org.bloomgate.filter;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongFunction;

/// A layout for sets that never change: of each key four bits in one line of 512, six bits a key in all, which an
/// absent key passes in 58 of 1,000 cases, and behind it a [FuseShard] for every million keys. Its rate is 8.8e-7.
final class LineAndFuse {
    private static final int BITS_PER_KEY = 6;
    private static final int BITS_SET = 4;
    private static final int KEYS_AT_ONCE = 64;

    private final MemorySegment body;
    private final long lines;
    private final FuseShard[] shards;

    /// @param keyHashes distinct
    /// @param memory gives so many octets, all zero
    LineAndFuse(long[] keyHashes, LongFunction<MemorySegment> memory) {
        lines = (long) keyHashes.length * BITS_PER_KEY / FilterSizing.LINE_BITS + 1;
        shards = new FuseShard[(keyHashes.length - 1) / FuseShard.KEYS + 1];
        int[] ends = new int[shards.length];
        long[] spread = spread(keyHashes, ends);
        long end = lines * FilterSizing.LINE_BYTES;
        for (int i = 0; i < shards.length; i++) {
            shards[i] = FuseShard.of(end, i, ends[i] - (i == 0 ? 0 : ends[i - 1]));
            end = shards[i].endsAt();
        }
        body = memory.apply(end);
        for (long keyHash : spread) {
            TwoLine.set(body, TwoLine.line(keyHash, lines), keyHash, BITS_SET);
        }
        for (int i = 0; i < shards.length; i++) {
            shards[i] = shards[i].put(body, spread, i == 0 ? 0 : ends[i - 1], ends[i]);
        }
    }

    private int shard(long keyHash) {
        return (int) Math.unsignedMultiplyHigh(keyHash, shards.length);
    }

    /// By shards, and so, as both take the upper bits, by lines.
    ///
    /// @param ends receives where each shard ends
    private long[] spread(long[] keyHashes, int[] ends) {
        int[] starts = new int[shards.length + 1];
        for (long keyHash : keyHashes) {
            starts[shard(keyHash) + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        long[] spread = new long[keyHashes.length];
        for (long keyHash : keyHashes) {
            spread[starts[shard(keyHash)]++] = keyHash;
        }
        System.arraycopy(starts, 0, ends, 0, ends.length);
        return spread;
    }

    long bytes() {
        return body.byteSize();
    }

    /// As [BloomFilter#suspects].
    int suspects(long[] keyHashes, int count, int[] suspects) {
        int found = 0;
        for (int from = 0; from < count; from += KEYS_AT_ONCE) {
            found = suspects(keyHashes, from, Math.min(count, from + KEYS_AT_ONCE), suspects, found);
        }
        return found;
    }

    private int suspects(long[] keyHashes, int from, int to, int[] suspects, int found) {
        MemorySegment words = body;
        long touched = words.byteSize();
        for (int i = from; i < to; i++) {
            touched ^= words.get(TwoLine.WORD, TwoLine.line(keyHashes[i], lines));
        }
        suspects[from] = (int) touched;
        int first = found;
        for (int i = from; i < to; i++) {
            suspects[first] = i;
            first += 1 - TwoLine.missing(words, TwoLine.line(keyHashes[i], lines), keyHashes[i], BITS_SET);
        }
        int both = found;
        for (int i = found; i < first; i++) {
            int position = suspects[i];
            suspects[both] = position;
            int difference = shards[shard(keyHashes[position])].difference(words, keyHashes[position]);
            both += 1 - ((difference | -difference) >>> 31);
        }
        return both;
    }
}
