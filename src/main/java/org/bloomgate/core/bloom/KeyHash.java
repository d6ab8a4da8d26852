package org.bloomgate.core.bloom;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/// The seeded 64-bit hash of a filter: XXH3 over the bytes of a key. Immutable, thread-safe, allocates nothing.
public final class KeyHash {
    /// The code of this hash in filter headers; another hash gets another number.
    public static final int XXH3_64 = 1;

    private final long seed;
    private final Hasher64 hasher;

    public KeyHash(long seed) {
        this.seed = seed;
        this.hasher = Hashing.xxh3_64(seed);
    }

    public long seed() {
        return seed;
    }

    public long hash(byte[] bytes, int from, int to) {
        return hasher.hashBytesToLong(bytes, from, to - from);
    }

    /// The hash of 8 bytes, the first of which is the lowest of the value.
    public long hash(long value) {
        return hasher.hashLongToLong(value);
    }
}
