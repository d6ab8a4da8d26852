package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// How the exact stores of snapshots are made and opened. Thread-safe.
public interface SortedStores {

    /// Begins a store.
    ///
    /// @param directory that does not exist yet or is empty
    /// @param feeds in the order that listings refer to them by
    StoreWriter create(Path directory, List<ListedFeed> feeds) throws IOException;

    /// Opens a store; nothing in its directory is written.
    ///
    /// @throws MalformedStoreException when the store is of another version or its dictionary is damaged
    /// @throws IOException if there is no readable store
    SortedStore open(Path directory) throws IOException;
}
