package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/// A read-only view of a filter. Immutable, thread-safe; a query allocates nothing.
///
/// A key sets bits in a cache line, and also in a second stage: in another line, or in three fingerprints. A
/// query reads the second stage only if all bits are set in the line, so that an absent key touches 1.10, 1.03,
/// 1.01 lines at rates of 1e-2, 1e-3, 1e-4 in the two-line layout, and 1.19 with fingerprints. The view is
/// valid as long as the segment it was opened on; a later query throws `IllegalStateException`.
public final class BloomFilter {
    /// The number of first lines that are loaded before they are tested: more misses than a core handles at
    /// once, and 4 KiB of its cache.
    private static final int KEYS_AT_ONCE = 64;

    private final MemorySegment file;
    private final MemorySegment body;
    private final SecondStage second;
    private final FilterHeader header;
    private final KeyHash hash;
    private final int bitsPerLine;

    BloomFilter(MemorySegment file, FilterHeader header) {
        this.file = file;
        FilterSizing sizing = header.parameters().sizing();
        this.body = file.asSlice(FilterFormat.HEADER_BYTES, sizing.lineBytes());
        this.header = header;
        this.hash = new KeyHash(header.parameters().seed());
        this.bitsPerLine = sizing.bitsPerLine();
        this.second = switch (sizing.layout()) {
            case TWO_LINE -> new SecondStage.SecondLine(body, bitsPerLine);
            case LINE_FUSE ->
                new SecondStage.Fuse(file.asSlice(FilterFormat.HEADER_BYTES + sizing.lineBytes()), sizing.fuse());
        };
    }

    /// The hash that keys of this filter were inserted with.
    public KeyHash hash() {
        return hash;
    }

    public FilterHeader header() {
        return header;
    }

    /// Returns false if the key was certainly not inserted.
    ///
    /// @param keyHash of the key by [#hash()]
    public boolean mightContain(long keyHash) {
        MemorySegment words = body;
        long lines = lines(words);
        return TwoLine.missing(words, TwoLine.line(keyHash, lines), keyHash, bitsPerLine) == 0
                && second.mightContain(keyHash);
    }

    /// The number of lines, read from the body before any word of it. [TwoLine] gets segments of several
    /// classes, also those of filters on the heap, and would determine the class at each word, which takes 64
    /// ns a key in batches at 1e-6 instead of 31. All segments here are mapped files, so the JIT compiler knows
    /// the class from this call on.
    static long lines(MemorySegment words) {
        return words.byteSize() / FilterSizing.LINE_BYTES;
    }

    /// The positions of the hashes that may have been inserted; all others certainly were not. Cache misses of
    /// the first lines overlap, because all lines are loaded before any is tested.
    ///
    /// @param suspects receives the positions, in order; at least as long as `count`
    /// @return the number of positions
    public int suspects(long[] keyHashes, int count, int[] suspects) {
        int found = 0;
        for (int from = 0; from < count; from += KEYS_AT_ONCE) {
            found = suspects(keyHashes, from, Math.min(count, from + KEYS_AT_ONCE), suspects, found);
        }
        return found;
    }

    private int suspects(long[] keyHashes, int from, int to, int[] suspects, int found) {
        MemorySegment words = body;
        long lines = lines(words);
        // This value is never read; without this use the loads would be optimized away.
        suspects[from] = (int) touch(words, lines, keyHashes, from, to);
        int first = found;
        for (int i = from; i < to; i++) {
            long keyHash = keyHashes[i];
            suspects[first] = i;
            first += 1 - TwoLine.missing(words, TwoLine.line(keyHash, lines), keyHash, bitsPerLine);
        }
        int both = found;
        for (int i = found; i < first; i++) {
            int position = suspects[i];
            suspects[both] = position;
            both += second.mightContain(keyHashes[position]) ? 1 : 0;
        }
        return both;
    }

    /// Loads one word of the first line of each key. With ten instructions a key, the processor handles dozens
    /// of cache misses at once; the tests, with sixty to a hundred instructions each, would overlap only a few.
    private static long touch(MemorySegment words, long lines, long[] keyHashes, int from, int to) {
        long all = 0;
        for (int i = from; i < to; i++) {
            all ^= words.get(TwoLine.WORD, TwoLine.line(keyHashes[i], lines));
        }
        return all;
    }

    /// Measures the false positive rate per key with random keys that were never inserted, one after the other.
    ///
    /// @param probes number of keys tested; the error is about `sqrt(rate / probes)`
    public double measuredRate(long probes, RandomGenerator random) {
        if (probes < 1) {
            throw new IllegalArgumentException("probes " + probes + ": must be positive");
        }
        byte[] key = new byte[24];
        long hits = 0;
        for (long i = 0; i < probes; i++) {
            random.nextBytes(key);
            hits += mightContain(hash.hash(key, 0, key.length)) ? 1 : 0;
        }
        return (double) hits / probes;
    }

    /// The bytes the view was opened on.
    MemorySegment file() {
        return file;
    }
}
