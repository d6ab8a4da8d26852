package org.bloomgate.core.bloom;

/// The dimensions of a sharded binary fuse filter: a 3-wise filter for each million keys (Graf, Lemire: "Binary
/// Fuse Filters: Fast and Smaller Than Xor Filters", 2022), all of the same size, so that the number of keys
/// determines them.
///
/// @param shards number of shards, chosen by the upper bits of a hash, 1 or more
/// @param keysPerShard the most keys of one shard
/// @param piece distance between the first, the second and the third place of a key; a power of two
/// @param firstPlaces number of places that the first of the three may be, a multiple of `piece`
record FuseShape(int shards, int keysPerShard, int piece, int firstPlaces) {
    /// The mean number of keys of a shard. With fewer, the filter is larger; with more, a shard does not fit
    /// the second-level cache while it is built.
    static final int KEYS = 1 << 20;

    /// One in 10^12 shards has more keys than the mean plus this many standard deviations.
    private static final int DEVIATIONS = 7;

    // The sizes from the paper: places for each key, and places of a piece as a power of a base.
    private static final double PLACES_PER_KEY = 1.125;
    private static final double FEW_KEYS = 0.875;
    private static final double FEW_KEYS_SLOPE = 0.25 * 13.815510557964274; // times ln 10^6
    private static final double PIECE_BASE = 3.33;
    private static final double PIECE_EXPONENT = 2.25;

    /// With fewer keys, pieces are half as long, so that there are more of them: with only a dozen, for some
    /// numbers of keys no attempt would succeed.
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

    /// The number of fingerprints of a shard.
    int places() {
        return firstPlaces + 2 * piece;
    }

    /// The bytes of the table of attempts, one byte for each shard, in whole lines.
    long attemptBytes() {
        return ((long) shards + FilterSizing.LINE_BYTES - 1) / FilterSizing.LINE_BYTES * FilterSizing.LINE_BYTES;
    }

    /// The bytes of the whole fuse filter.
    long bytes() {
        return attemptBytes() + (long) shards * shardBytes();
    }

    /// The bytes of the hashes of all shards with the most keys.
    long waitingBytes() {
        return (long) shards * keysPerShard * Long.BYTES;
    }

    private long shardBytes() {
        return (long) places() * Short.BYTES;
    }

    /// The offset of the fingerprints of a shard.
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
