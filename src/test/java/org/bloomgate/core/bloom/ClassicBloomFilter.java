package org.bloomgate.core.bloom;

/// The textbook filter, k probes anywhere in m bits (Bloom 1970): the reference that tests and benchmarks compare
/// the two-line filter with. Not thread-safe while keys are added.
///
/// Probes come from one 64-bit hash by double hashing (Kirsch, Mitzenmacher 2006), the second hash odd and never
/// zero, scaled by multiply-high.
public final class ClassicBloomFilter {
    private static final double LN2 = Math.log(2);

    private final long[] words;
    private final long bits;
    private final int probes;

    private ClassicBloomFilter(long bits, int probes) {
        this.bits = bits;
        this.probes = probes;
        this.words = new long[Math.toIntExact((bits + 63) >>> 6)];
    }

    /// An empty filter of optimal size.
    public static ClassicBloomFilter of(long entries, double rate) {
        long bits = Math.max(1, optimalBits(entries, rate));
        return new ClassicBloomFilter(bits, optimalProbes(bits, Math.max(1, entries)));
    }

    /// m = -n ln p / (ln 2)^2, rounded up.
    public static long optimalBits(long entries, double rate) {
        if (!(rate > 0 && rate < 1)) {
            throw new IllegalArgumentException("rate " + rate + ": must lie between 0 and 1, both excluded");
        }
        return (long) Math.ceil(-entries * Math.log(rate) / (LN2 * LN2));
    }

    /// k = m/n ln 2, rounded, at least 1.
    public static int optimalProbes(long bits, long entries) {
        return (int) Math.max(1, Math.round((double) bits / entries * LN2));
    }

    /// p = (1 - e^(-kn/m))^k.
    public static double predictedRate(long bits, int probes, long entries) {
        return Math.pow(1 - Math.exp(-(double) probes * entries / bits), probes);
    }

    public void add(long keyHash) {
        long step = step(keyHash);
        for (int i = 0; i < probes; i++) {
            long bit = Math.unsignedMultiplyHigh(keyHash, bits);
            words[(int) (bit >>> 6)] |= 1L << bit;
            keyHash += step;
        }
    }

    public boolean mightContain(long keyHash) {
        long step = step(keyHash);
        for (int i = 0; i < probes; i++) {
            long bit = Math.unsignedMultiplyHigh(keyHash, bits);
            if ((words[(int) (bit >>> 6)] >>> bit & 1) == 0) {
                return false;
            }
            keyHash += step;
        }
        return true;
    }

    private static long step(long keyHash) {
        return TwoLine.second(keyHash) | 1;
    }

    /// Size of the bit array (m).
    public long bits() {
        return bits;
    }

    /// Probes for each key (k).
    public int probes() {
        return probes;
    }
}
