package org.bloomgate.lookup.store;

import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// The bytes of a key in the store: the wire code of its kind, then [Key#bytes()]. The order of a store is that of
/// unsigned bytes: by kind, then by key.
public final class StoreKey {
    /// The most bytes of a store key: the kind, and the bound of a feed's line.
    static final int MAX_BYTES = 1 + (16 << 10);

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
}
