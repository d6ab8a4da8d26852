package org.bloomgate.lookup.redis;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.bloomgate.lookup.store.FeedDictionary;
import org.bloomgate.lookup.store.MalformedStoreException;

/// The header of a generation, which a lookup needs before it can query a key.
///
/// Bytes: format version (1), number of buckets (4), number of entries (8), all most significant first, then the
/// dictionary as the embedded store keeps it.
///
/// @param buckets a power of two
record GenerationHeader(int buckets, long entries, FeedDictionary feeds) {
    private static final byte FORMAT_VERSION = 1;
    private static final int FIXED_BYTES = 13;

    byte[] encode() {
        byte[] dictionary = feeds.encode();
        return ByteBuffer.allocate(FIXED_BYTES + dictionary.length)
                .put(FORMAT_VERSION)
                .putInt(buckets)
                .putLong(entries)
                .put(dictionary)
                .array();
    }

    /// Empty when the bytes are damaged or of another version.
    static Optional<GenerationHeader> decode(byte[] bytes) {
        if (bytes.length < FIXED_BYTES || bytes[0] != FORMAT_VERSION) {
            return Optional.empty();
        }
        ByteBuffer from = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        int buckets = from.getInt();
        long entries = from.getLong();
        byte[] dictionary = new byte[from.remaining()];
        from.get(dictionary);
        if (!isNumberOfBuckets(buckets) || entries < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(new GenerationHeader(buckets, entries, FeedDictionary.decode(dictionary)));
        } catch (MalformedStoreException e) {
            return Optional.empty();
        }
    }

    static boolean isNumberOfBuckets(int buckets) {
        return Integer.bitCount(buckets) == 1 && buckets > 0 && buckets <= BucketField.MOST_BUCKETS;
    }
}
