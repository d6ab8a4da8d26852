package org.bloomgate.exact;

import java.io.IOException;

/// A walk over the keys of a store beside others that come in the same order. Not thread-safe.
public final class StoreWalk implements AutoCloseable {
    private final SortedStore store;
    private final StoreCursor cursor;
    private boolean standing;
    private boolean here;

    private StoreWalk(SortedStore store, StoreCursor cursor) throws IOException {
        this.store = store;
        this.cursor = cursor;
        standing = cursor.next();
    }

    /// @param store is closed with this
    public static StoreWalk over(SortedStore store) throws IOException {
        try {
            StoreCursor cursor = store.cursor();
            try {
                return new StoreWalk(store, cursor);
            } catch (IOException e) {
                cursor.close();
                throw e;
            }
        } catch (IOException e) {
            store.close();
            throw e;
        }
    }

    /// Moves on to a key, which is after the one before.
    ///
    /// @return keys of the store that were passed over
    /// @throws IOException when the store cannot be read on
    public long moveTo(int kindCode, byte[] octets, int from, int to) throws IOException {
        leave();
        long passed = 0;
        while (standing) {
            int order = cursor.compareTo(kindCode, octets, from, to);
            if (order >= 0) {
                here = order == 0;
                break;
            }
            passed++;
            standing = cursor.next();
        }
        return passed;
    }

    /// Passes over all that are left.
    public long finish() throws IOException {
        leave();
        long passed = 0;
        while (standing) {
            passed++;
            standing = cursor.next();
        }
        return passed;
    }

    private void leave() throws IOException {
        if (here) {
            here = false;
            standing = cursor.next();
        }
    }

    /// Whether the store holds the key moved to.
    public boolean isHere() {
        return here;
    }

    /// Its listings there, until the next move.
    public StoredListings stored() {
        return cursor.stored();
    }

    @Override
    public void close() {
        cursor.close();
        store.close();
    }
}
