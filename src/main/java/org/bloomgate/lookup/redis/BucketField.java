package org.bloomgate.lookup.redis;

import java.nio.ByteBuffer;
import org.bloomgate.base.io.Sha256;

/// The location of a key: the bucket of a generation and the field in it.
///
/// Redis keeps a small hash as one list of bytes (hash-max-listpack-entries, 128 or more by default) while no
/// field and no value is longer than 64 bytes (hash-max-listpack-value): about 34 bytes an entry instead of 169
/// for a key of its own. A bucket has 30 to 60 entries on average. The field is the key itself as the embedded
/// store has it, so that no two keys share one; only a key of more than 33 bytes is its SHA-256 behind a byte
/// that no kind has, of which no two keys are known to share one. A value beyond 64 bytes, of a key in more
/// than some six feeds, costs its bucket the short form and nothing else.
///
/// The bucket comes from the SHA-256 too: feeds with keys that collide in one bucket only make that one larger.
///
final class BucketField {
    /// The field of the marker: no kind of keys has code 0.
    static final byte[] MARKER = {0};

    static final int MOST_BUCKETS = 1 << 24;

    private static final int ENTRIES_A_BUCKET = 60;
    private static final int LONGEST = 33;
    private static final byte HASHED = (byte) 0xff;

    private final byte[] bytes;
    private final int hash;

    private BucketField(byte[] bytes, int hash) {
        this.bytes = bytes;
        this.hash = hash;
    }

    /// @param storeKey as `exact.StoreKey` makes it
    static BucketField of(byte[] storeKey) {
        byte[] digest = Sha256.digest(storeKey);
        int hash = ByteBuffer.wrap(digest).getInt();
        return new BucketField(storeKey.length <= LONGEST ? storeKey : hashed(digest), hash);
    }

    /// Name of the field.
    byte[] bytes() {
        return bytes;
    }

    /// @param buckets a power of two
    int bucket(int buckets) {
        return hash & (buckets - 1);
    }

    /// A power of two.
    static int buckets(long entries) {
        int buckets = 1;
        while (buckets < MOST_BUCKETS && entries > (long) buckets * ENTRIES_A_BUCKET) {
            buckets *= 2;
        }
        return buckets;
    }

    private static byte[] hashed(byte[] digest) {
        byte[] field = new byte[1 + digest.length];
        field[0] = HASHED;
        System.arraycopy(digest, 0, field, 1, digest.length);
        return field;
    }
}
