package org.bloomgate.filter;

/// How large a two-line filter must be, and which false positive rate it then has.
///
/// Lines are loaded unevenly: the number of keys in a line is Poisson distributed, and the crowded lines dominate
/// the rate. The classic formula ignores that and gives up to 21 times the rate asked for (Putze, Sanders,
/// Singler: "Cache-, Hash- and Space-Efficient Bloom Filters", 2007), so lines and bits are searched for on the
/// mixture itself.
///
/// @param lines cache lines of 512 bits, at least 1
/// @param bitsPerKey bits that a key sets (k), half of them in each of its two lines; even, 2..32
/// @param capacity number of keys at which the rate reaches its target
/// @param targetRate false positive rate at capacity, per key, between 0 and 1
public record FilterSizing(long lines, int bitsPerKey, long capacity, double targetRate) {
    /// Bits of a cache line.
    public static final int LINE_BITS = 512;

    /// Octets of a cache line.
    public static final int LINE_BYTES = 64;

    /// Largest k; the file format allows no more.
    public static final int MAX_BITS_PER_KEY = 32;

    /// Beyond 2^52 keys a `double` no longer counts exactly; far above what a file may hold.
    private static final long MAX_CAPACITY = 1L << 52;

    public FilterSizing {
        requireRate(targetRate);
        if (lines < 1 || capacity < 0 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("lines " + lines + ", capacity " + capacity + ": out of range");
        }
        if (bitsPerKey < 2 || bitsPerKey > MAX_BITS_PER_KEY || bitsPerKey % 2 != 0) {
            throw new IllegalArgumentException("k " + bitsPerKey + ": must be even, 2.." + MAX_BITS_PER_KEY);
        }
    }

    /// The smallest filter for so many keys after duplicates are removed, to which none is added later.
    public static FilterSizing of(long entries, double rate) {
        return of(entries, rate, 1);
    }

    /// The smallest filter that keeps the rate while it holds `entries * headroom` keys: with a headroom of 1.3 and
    /// no more keys than counted, 1.1e-5 instead of 1e-4. No entries at all give one line, which answers no to
    /// everything.
    public static FilterSizing of(long entries, double rate, double headroom) {
        requireRate(rate);
        if (entries < 0 || !(headroom >= 1) || entries * headroom > MAX_CAPACITY) {
            throw new IllegalArgumentException("entries " + entries + ", headroom " + headroom + ": out of range");
        }
        long capacity = (long) Math.ceil(entries * headroom);
        long bestLines = Long.MAX_VALUE;
        int bestK = 2;
        for (int k = 2; k <= MAX_BITS_PER_KEY; k += 2) {
            if (predictedRate(bestLines - 1, k, capacity) <= rate) {
                bestLines = fewestLines(capacity, k, rate);
                bestK = k;
            }
        }
        return new FilterSizing(bestLines, bestK, capacity, rate);
    }

    /// Fewest lines that keep the rate with this k. No filter of any kind takes fewer than log2(1/rate) bits a key,
    /// so the search begins there.
    private static long fewestLines(long capacity, int k, double rate) {
        long low = (long) (capacity * -Math.log(rate) / Math.log(2) / LINE_BITS);
        long high = low + 1;
        while (predictedRate(high, k, capacity) > rate) {
            low = high;
            high = Math.multiplyExact(high, 2);
        }
        while (high - low > 1) {
            long middle = low + (high - low) / 2;
            if (predictedRate(middle, k, capacity) > rate) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /// Octets of the bit array.
    public long bodyBytes() {
        return Math.multiplyExact(lines, LINE_BYTES);
    }

    /// The rate to expect with so many keys inserted, per key asked.
    public double predictedRate(long entries) {
        return predictedRate(lines, bitsPerKey, entries);
    }

    static double predictedRate(long lines, int bitsPerKey, long entries) {
        double oneLine = LineRate.of(bitsPerKey / 2, 2.0 * entries / lines);
        return oneLine * oneLine;
    }

    static void requireRate(double rate) {
        if (!(rate > 0 && rate < 1)) {
            throw new IllegalArgumentException("rate " + rate + ": must lie between 0 and 1, both excluded");
        }
    }
}
