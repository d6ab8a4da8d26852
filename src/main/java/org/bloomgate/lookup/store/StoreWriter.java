package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.core.key.KeyKind;

/// Writes a new store from keys in ascending order. The directory is a store only after [#finish()]; it is not atomic
/// itself, publishing the directory is the caller's. Not thread-safe.
public interface StoreWriter extends AutoCloseable {

    /// Begins a store.
    ///
    /// @param directory that does not exist yet or is empty
    /// @param feeds in the order that listings refer to them by
    static StoreWriter create(Path directory, List<ListedFeed> feeds) throws IOException {
        return new RocksExactWriter(directory, feeds);
    }

    /// Appends a key, which must sort after the one before by kind code, then by unsigned bytes.
    void put(KeyKind kind, byte[] bytes, int from, int to, StoredListings listings) throws IOException;

    /// Appends a key, likewise, with the listings of the one before.
    void put(KeyKind kind, byte[] bytes, int from, int to) throws IOException;

    /// Makes the store of what was put and forces it to disk.
    void finish() throws IOException;

    /// Releases memory. What was not finished stays on disk as it is, for the caller to delete with the directory.
    @Override
    void close();
}
