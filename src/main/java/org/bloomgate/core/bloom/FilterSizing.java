package org.bloomgate.core.bloom;

import java.util.function.LongToDoubleFunction;

/// How large a filter must be, and which false positive rate it then has.
///
/// Lines are loaded unevenly: the number of keys in a line is Poisson distributed, and the crowded lines
/// dominate the rate. The classic formula ignores that and gives up to 21 times the requested rate (Putze,
/// Sanders, Singler: "Cache-, Hash- and Space-Efficient Bloom Filters", 2007), so lines and bits are searched
/// for on the mixture itself.
///
/// @param layout where the bits are; it decides what `lines` and `bitsPerKey` mean
/// @param lines cache lines of 512 bits, at least 1; of the layout with a fuse filter as many for each of its shards
/// @param bitsPerKey bits that a key sets (k), 1..32; of the two-line layout even, half of them in each line
/// @param capacity number of keys at which the rate reaches its target
/// @param targetRate false positive rate at capacity, per key, between 0 and 1
public record FilterSizing(FilterLayout layout, long lines, int bitsPerKey, long capacity, double targetRate) {
    /// Bits of a cache line.
    public static final int LINE_BITS = 512;

    /// Bytes of a cache line.
    public static final int LINE_BYTES = 64;

    /// Largest k; the file format allows no more.
    public static final int MAX_BITS_PER_KEY = 32;

    /// Beyond 2^52 keys a `double` no longer counts exactly; far above what a file may hold.
    private static final long MAX_CAPACITY = 1L << 52;

    /// Also far above what a file may hold.
    private static final long MAX_LINES = 1L << 46;

    /// The capacity of a filter with a fuse filter; far beyond what a file may contain.
    static final long MAX_FUSE_CAPACITY = 1L << 36;

    /// The probability that a fingerprint of 16 bits matches by chance.
    private static final double FUSE_RATE = 0x1p-16;

    /// The largest share of absent keys that may pass the first line of the layout with a fuse filter, because
    /// each of them reads three more lines.
    private static final double PASSED_TO_FUSE = 1.0 / 16;

    public FilterSizing {
        requireRate(targetRate);
        if (lines < 1 || lines > MAX_LINES || capacity < 0 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("lines " + lines + ", capacity " + capacity + ": out of range");
        }
        requireBits(layout, bitsPerKey);
        if (layout == FilterLayout.LINE_FUSE) {
            requireFuse(lines, capacity);
        }
    }

    private static void requireBits(FilterLayout layout, int bitsPerKey) {
        boolean twoLine = layout == FilterLayout.TWO_LINE;
        if (bitsPerKey < (twoLine ? 2 : 1) || bitsPerKey > MAX_BITS_PER_KEY || (twoLine && bitsPerKey % 2 != 0)) {
            throw new IllegalArgumentException(
                    "k " + bitsPerKey + ": must be " + (twoLine ? "even, 2.." : "1..") + MAX_BITS_PER_KEY);
        }
    }

    private static void requireFuse(long lines, long capacity) {
        if (capacity > MAX_FUSE_CAPACITY || lines % FuseShape.of(capacity).shards() != 0) {
            throw new IllegalArgumentException("lines " + lines + ", capacity " + capacity
                    + ": not as many lines for each shard, or out of range");
        }
    }

    /// The smallest filter for this many keys after duplicates are removed.
    public static FilterSizing of(long entries, double rate) {
        FilterSizing twoLine = twoLine(entries, rate);
        if (entries == 0 || entries > MAX_FUSE_CAPACITY) {
            return twoLine;
        }
        FilterSizing fuse = lineFuse(entries, rate);
        return fuse.bodyBytes() < twoLine.bodyBytes() ? fuse : twoLine;
    }

    /// The smallest filter in the two-line layout, to which keys can be added. A filter without entries has one
    /// line and contains no key.
    public static FilterSizing twoLine(long entries, double rate) {
        requireRate(rate);
        if (entries < 0 || entries > MAX_CAPACITY) {
            throw new IllegalArgumentException("entries " + entries + ": out of range");
        }
        long bestLines = Long.MAX_VALUE;
        int bestK = 2;
        for (int k = 2; k <= MAX_BITS_PER_KEY; k += 2) {
            if (twoLineRate(bestLines - 1, k, entries) <= rate) {
                int of = k;
                bestLines = fewestLines(entries, rate, lines -> twoLineRate(lines, of, entries));
                bestK = k;
            }
        }
        return new FilterSizing(FilterLayout.TWO_LINE, bestLines, bestK, entries, rate);
    }

    /// The smallest filter in the layout of a line and a fuse filter.
    static FilterSizing lineFuse(long entries, double rate) {
        double passed = Math.min(PASSED_TO_FUSE, rate / FUSE_RATE);
        int shards = FuseShape.of(entries).shards();
        long bestLines = Long.MAX_VALUE;
        int bestK = 1;
        for (int k = 1; k <= MAX_BITS_PER_KEY; k++) {
            if (LineRate.of(k, (double) entries / (bestLines - 1)) <= passed) {
                int of = k;
                bestLines = fewestLines(entries, passed, lines -> LineRate.of(of, (double) entries / lines));
                bestK = k;
            }
        }
        long lines = (bestLines + shards - 1) / shards * shards;
        return new FilterSizing(FilterLayout.LINE_FUSE, lines, bestK, entries, rate);
    }

    /// The fewest lines that keep the rate. No filter of any kind can have fewer than log2(1/rate) bits a key,
    /// so the search begins there.
    private static long fewestLines(long capacity, double rate, LongToDoubleFunction rateOfLines) {
        long low = (long) (capacity * -Math.log(rate) / Math.log(2) / LINE_BITS);
        long high = low + 1;
        while (rateOfLines.applyAsDouble(high) > rate) {
            low = high;
            high = Math.multiplyExact(high, 2);
        }
        while (high - low > 1) {
            long middle = low + (high - low) / 2;
            if (rateOfLines.applyAsDouble(middle) > rate) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /// The bytes of the lines.
    public long lineBytes() {
        return Math.multiplyExact(lines, LINE_BYTES);
    }

    /// The bits that a key sets in one line.
    int bitsPerLine() {
        return layout == FilterLayout.TWO_LINE ? bitsPerKey / 2 : bitsPerKey;
    }

    /// The fuse filter after the lines, in that layout.
    FuseShape fuse() {
        return FuseShape.of(capacity);
    }

    /// The bytes of the file after its header.
    public long bodyBytes() {
        return lineBytes() + (layout == FilterLayout.LINE_FUSE ? fuse().bytes() : 0);
    }

    /// The bytes for the hashes of all keys, if the layout needs all of them before the first is inserted.
    public long waitingBytes() {
        return layout == FilterLayout.LINE_FUSE ? fuse().waitingBytes() : 0;
    }

    /// The expected false positive rate per key, with this many keys inserted.
    public double predictedRate(long entries) {
        return switch (layout) {
            case TWO_LINE -> twoLineRate(lines, bitsPerKey, entries);
            case LINE_FUSE -> LineRate.of(bitsPerKey, (double) entries / lines) * FUSE_RATE;
        };
    }

    private static double twoLineRate(long lines, int bitsPerKey, long entries) {
        double oneLine = LineRate.of(bitsPerKey / 2, 2.0 * entries / lines);
        return oneLine * oneLine;
    }

    static void requireRate(double rate) {
        if (!(rate > 0 && rate < 1)) {
            throw new IllegalArgumentException("rate " + rate + ": must lie between 0 and 1, both excluded");
        }
    }
}
