package org.bloomgate.lookup.store;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// The bytes of a key in the store: the wire code of its kind, then [Key#bytes()]. The order of a store is that of
/// unsigned bytes: by kind, then by key.
public final class StoreKey {
    /// No kind has code 0, so nothing that is looked up can meet the dictionary.
    private static final byte RESERVED = 0;

    /// The key of the [FeedDictionary]; sorts before every other key.
    static final byte[] DICTIONARY = reserved(RESERVED, "feeds");

    /// No kind has this code; facts that are known only after the last key are stored under it.
    private static final byte RESERVED_AFTER = (byte) 0xff;

    /// Where the lengths of the digests of passwords stand, a byte each; sorts after every key.
    static final byte[] DIGEST_LENGTHS = reserved(RESERVED_AFTER, "digest-lengths");

    private StoreKey() {}

    /// @throws IllegalArgumentException if the text is not a digest although the kind requires one
    public static byte[] of(Key key) {
        byte[] bytes = key.bytes();
        return of(key.kind(), bytes);
    }

    static byte[] of(KeyKind kind, byte[] bytes) {
        byte[] whole = new byte[bytes.length + 1];
        whole[0] = (byte) kind.wireCode();
        System.arraycopy(bytes, 0, whole, 1, bytes.length);
        return whole;
    }

    private static byte[] reserved(byte code, String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[text.length + 1];
        whole[0] = code;
        System.arraycopy(text, 0, whole, 1, text.length);
        return whole;
    }
}
