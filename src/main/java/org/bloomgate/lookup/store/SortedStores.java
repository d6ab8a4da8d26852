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

    /// Changes that [#follow] takes at most.
    int MAX_CHANGES = 7;

    /// Makes the tables of a store again, as they are where the last of several [StoreChange]s was written.
    ///
    /// @param changes the earliest first, each beginning at the store that the one before it leads to
    /// @param before directory of the store that the first begins at
    /// @param into a folder that does not exist, for the tables under their names
    /// @param maxBytes bound of all keys and values after each of the changes
    /// @throws MalformedStoreException when they are no changes of that store, or too many
    /// @throws IOException when the store before cannot be read, or the disk fails
    void follow(List<Path> changes, Path before, Path into, long maxBytes) throws IOException;
}
