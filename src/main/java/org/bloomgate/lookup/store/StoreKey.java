package org.bloomgate.lookup.store;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// The bytes of a key in the store: the wire code of its kind, then [Key#bytes()]. The order of a store is that of
/// unsigned bytes: by kind, then by key.
public final class StoreKey {
    /// No kind has code 0, so no looked-up key can find the dictionary.
    private static final byte RESERVED = 0;

    /// The key of the [FeedDictionary]; sorts before every other key.
    static final byte[] DICTIONARY = createReserved(RESERVED, "feeds");

    /// No kind has this code; facts that are known only after the last key are stored under it.
    private static final byte RESERVED_LAST = (byte) 0xff;

    /// The key of the lengths of the digests of passwords, one byte each; sorts after every other key.
    static final byte[] DIGEST_LENGTHS = createReserved(RESERVED_LAST, "digest-lengths");

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

    private static byte[] createReserved(byte code, String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[text.length + 1];
        whole[0] = code;
        System.arraycopy(text, 0, whole, 1, text.length);
        return whole;
    }
}
