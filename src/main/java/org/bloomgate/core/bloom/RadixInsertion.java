package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Inserts many keys at once, in the order of their lines: keys in random order take a cache miss and a TLB
/// miss for each line, sorted ones take one for many keys.
///
/// The words of the keys are distributed over partitions of neighbouring lines, in one pass that counts and one
/// that copies; then each partition, which fits the second-level cache, is filled on its own. The parts of the
/// work share no line, so writes need not be atomic, and the resulting bits are those of single insertions. Not
/// thread-safe.
final class RadixInsertion {
    /// Half of a common second-level cache.
    private static final long PARTITION_BYTES = 512 << 10;

    /// Writing to more partitions at once would thrash the TLB.
    private static final int MAX_PARTITIONS = 2048;

    private final MemorySegment body;
    private final long lines;
    private final int bitsPerLine;
    private final Workers workers;
    private final int shift;
    private final int[][] starts;
    private final long[] words;

    /// @param maxKeys the most keys of one [#insert], each with 16 bytes of heap
    RadixInsertion(MemorySegment body, FilterSizing sizing, int maxKeys, Workers workers) {
        this.body = body;
        this.lines = sizing.lines();
        this.bitsPerLine = sizing.bitsPerLine();
        this.workers = workers;
        this.shift = shift(lines);
        this.starts = new int[workers.parts()][(int) ((lines - 1) >>> shift) + 1];
        this.words = new long[2 * maxKeys];
    }

    /// Whether insertion in bulk is faster; not for a filter that fits the cache.
    static boolean pays(FilterSizing sizing) {
        return sizing.bodyBytes() > 2 * PARTITION_BYTES;
    }

    /// The lines of a partition, as a power of two.
    private static int shift(long lines) {
        int shift = Long.numberOfTrailingZeros(PARTITION_BYTES / FilterSizing.LINE_BYTES);
        while ((lines - 1) >>> shift >= MAX_PARTITIONS) {
            shift++;
        }
        return shift;
    }

    private int partition(long word) {
        return (int) (Math.unsignedMultiplyHigh(word, lines) >>> shift);
    }

    void insert(long[] keyHashes, int count) {
        workers.run(part -> count(keyHashes, from(count, part), from(count, part + 1), starts[part]));
        accumulate();
        workers.run(part -> distribute(keyHashes, from(count, part), from(count, part + 1), starts[part]));
        workers.run(part -> fill(boundary(2 * count, part), boundary(2 * count, part + 1)));
    }

    private int from(int count, int part) {
        return (int) ((long) count * part / workers.parts());
    }

    private void count(long[] keyHashes, int from, int to, int[] counts) {
        Arrays.fill(counts, 0);
        for (int i = from; i < to; i++) {
            long keyHash = keyHashes[i];
            counts[partition(keyHash)]++;
            counts[partition(TwoLine.second(keyHash))]++;
        }
    }

    /// Turns counts into the positions at which each part begins to write in each partition.
    private void accumulate() {
        int place = 0;
        for (int partition = 0; partition < starts[0].length; partition++) {
            for (int[] ofPart : starts) {
                int count = ofPart[partition];
                ofPart[partition] = place;
                place += count;
            }
        }
    }

    private void distribute(long[] keyHashes, int from, int to, int[] places) {
        for (int i = from; i < to; i++) {
            long keyHash = keyHashes[i];
            words[places[partition(keyHash)]++] = keyHash;
            long second = TwoLine.second(keyHash);
            words[places[partition(second)]++] = second;
        }
    }

    /// The position at which a part begins to fill: the start of a partition, so that no two parts share a
    /// line.
    private int boundary(int count, int part) {
        int at = from(count, part);
        while (at > 0 && at < count && partition(words[at]) == partition(words[at - 1])) {
            at++;
        }
        return at;
    }

    private void fill(int from, int to) {
        for (int i = from; i < to; i++) {
            long word = words[i];
            TwoLine.set(body, TwoLine.line(word, lines), word, bitsPerLine);
        }
    }
}
