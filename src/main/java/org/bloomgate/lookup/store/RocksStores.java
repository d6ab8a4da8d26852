package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The stores that are embedded: RocksDB.
public final class RocksStores implements SortedStores {

    @Override
    public StoreWriter create(Path directory, List<ListedFeed> feeds) throws IOException {
        return new RocksExactWriter(directory, feeds);
    }

    @Override
    public SortedStore open(Path directory) throws IOException {
        return RocksExactStore.open(directory);
    }
}
