package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.core.key.KeyKind;

/// Writes a new store from keys in ascending order. The directory is a store only after [#finish()], which is not
/// atomic: the caller publishes the directory. Not thread-safe.
public interface StoreWriter extends AutoCloseable {

    /// Begins a store.
    ///
    /// @param directory that does not exist yet or is empty
    /// @param feeds in the order by which listings refer to them
    static StoreWriter create(Path directory, List<ListedFeed> feeds) throws IOException {
        return new PagesWriter(directory, feeds);
    }

    /// Appends a key, which must sort after the one before by kind code, then by unsigned bytes.
    void put(KeyKind kind, byte[] bytes, int from, int to, StoredListings listings) throws IOException;

    /// Appends a key with the listings of the key before, in the same order.
    void put(KeyKind kind, byte[] bytes, int from, int to) throws IOException;

    /// Finishes the store with all appended keys and forces it to disk.
    void finish() throws IOException;

    /// Releases memory. An unfinished store stays on disk; the caller deletes its directory.
    @Override
    void close();
}
