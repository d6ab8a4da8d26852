package org.bloomgate.lookup.store;

import java.io.IOException;
import java.util.Arrays;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// Walks the keys of a store, or of a range of it, in ascending order. Not thread-safe; the store must stay open
/// until the cursor is closed.
public interface StoreCursor extends AutoCloseable {

    /// Moves to the next key; false after the last one.
    ///
    /// @throws MalformedStoreException if a key or value has a form that no writer writes
    boolean next() throws IOException;

    /// The buffer that holds the key as [StoreKey] makes it: the code of its kind, then its bytes from 1 to
    /// [#end()]; valid until [#next()].
    byte[] bytes();

    int end();

    /// The listings of the key; valid until [#next()].
    StoredListings stored();

    /// The bytes of the listings, which [FeedDictionary#decodeListings] reads.
    byte[] value();

    /// The [KeyKind#wireCode()] of the key.
    default int kindCode() {
        return bytes()[0] & 0xff;
    }

    /// Compares the key with another one, in the order of the store.
    ///
    /// @return negative, zero or positive if the key of the cursor is before, equal to or after the other key
    default int compareTo(int kindCode, byte[] bytes, int from, int to) {
        int byKind = Integer.compare(kindCode(), kindCode);
        return byKind != 0 ? byKind : Arrays.compareUnsigned(bytes(), 1, end(), bytes, from, to);
    }

    /// The bytes of the key as [StoreKey] makes them.
    default byte[] storeKey() {
        return Arrays.copyOf(bytes(), end());
    }

    /// The key as a value.
    ///
    /// @throws MalformedStoreException when the key is of no known kind
    default Key key() throws MalformedStoreException {
        KeyKind kind = KeyKind.ofWireCode(kindCode())
                .orElseThrow(() -> new MalformedStoreException("key of unknown kind " + kindCode()));
        return Key.ofBytes(kind, bytes(), 1, end() - 1);
    }

    @Override
    void close();
}
