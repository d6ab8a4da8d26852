package org.bloomgate.core.bloom;

/// How large a sharded binary fuse filter is: a 3-wise one for each million keys (Graf, Lemire: "Binary Fuse Filters:
/// Fast and Smaller Than Xor Filters", 2022), all of one size, so that the number of keys says everything.
///
/// @param shards by the upper bits of a hash, 1 or more
/// @param keysPerShard most keys that one takes
/// @param piece places that the first, the second and the third place of a key are apart; a power of two
/// @param firstPlaces places that the first of the three may be, whole pieces
record FuseShape(int shards, int keysPerShard, int piece, int firstPlaces) {
    /// Fewer make the filter larger, more leave the second-level cache while it is built.
    static final int KEYS = 1 << 20;

    /// One of 10^12 shards has more keys than the mean and this many standard deviations.
    private static final int DEVIATIONS = 7;

    // The sizes that the authors found: places for each key, and places of a piece as a power of a base.
    private static final double PLACES_PER_KEY = 1.125;
    private static final double FEW_KEYS = 0.875;
    private static final double FEW_KEYS_SLOPE = 0.25 * 13.815510557964274; // times ln 10^6
    private static final double PIECE_BASE = 3.33;
    private static final double PIECE_EXPONENT = 2.25;

    /// Below this number, segments are half as long, so that there are more of them: with only a dozen, no
    /// attempt could separate the keys that fill all places of one size.
    private static final int MANY_KEYS = 1 << 19;
    private static final int FEWEST_KEYS = 2;

    /// Uses integer arithmetic that gives the same result on every machine.
    static FuseShape of(long keys) {
        int shards = Math.toIntExact(Math.max(1, (keys + KEYS - 1) / KEYS));
        double mean = (double) keys / shards;
        int most = (int) Math.ceil(shards == 1 ? keys : mean + DEVIATIONS * Math.sqrt(mean));
        double log = StrictMath.log(Math.max(FEWEST_KEYS, most));
        int piece = 1 << (int) (log / StrictMath.log(PIECE_BASE) + PIECE_EXPONENT - (most < MANY_KEYS ? 1 : 0));
        double places = Math.max(PLACES_PER_KEY, FEW_KEYS + FEW_KEYS_SLOPE / log) * most;
        int pieces = Math.max(1, (int) Math.ceil(places / piece) - 2);
        return new FuseShape(shards, most, piece, Math.multiplyExact(pieces, piece));
    }

    /// The shard of a key.
    int shard(long keyHash) {
        return (int) Math.unsignedMultiplyHigh(keyHash, shards);
    }

    /// Fingerprints of a shard.
    int places() {
        return firstPlaces + 2 * piece;
    }

    /// Bytes of the table of attempts, one for each shard, in whole lines.
    long attemptBytes() {
        return ((long) shards + FilterSizing.LINE_BYTES - 1) / FilterSizing.LINE_BYTES * FilterSizing.LINE_BYTES;
    }

    /// Bytes of all.
    long bytes() {
        return attemptBytes() + (long) shards * shardBytes();
    }

    /// Bytes of the hashes that all shards take at most.
    long waitingBytes() {
        return (long) shards * keysPerShard * Long.BYTES;
    }

    private long shardBytes() {
        return (long) places() * Short.BYTES;
    }

    /// Where the fingerprints of a shard begin.
    long at(int shard) {
        return attemptBytes() + shard * shardBytes();
    }

    /// The word that determines the places and the fingerprint of a key. If the keys of a shard cannot be
    /// placed, the next attempt gives other words.
    static long word(long keyHash, int shard, int attempt) {
        long seed = ((long) shard << Byte.SIZE) | attempt;
        long x = keyHash + seed * 0x9E3779B97F4A7C15L;
        x = (x ^ (x >>> 33)) * 0xFF51AFD7ED558CCDL;
        x = (x ^ (x >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return x ^ (x >>> 33);
    }

    /// One of the three places of a key, in its shard.
    ///
    /// @param way 0, 1 or 2
    int place(int way, long word) {
        int first = (int) Math.unsignedMultiplyHigh(word, firstPlaces);
        return switch (way) {
            case 0 -> first;
            case 1 -> (first + piece) ^ ((int) (word >>> 18) & (piece - 1));
            default -> (first + 2 * piece) ^ ((int) word & (piece - 1));
        };
    }

    /// The fingerprint: the exclusive or of the values at the three places of a key.
    static short print(long word) {
        return (short) (word ^ (word >>> 32));
    }
}
