package org.bloomgate.rebuild;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.bloomgate.exact.ListedFeed;
import org.bloomgate.exact.SortedStores;
import org.bloomgate.exact.StoreChange;
import org.bloomgate.exact.StoredListings;
import org.bloomgate.snapshot.LayerDirectory;
import org.bloomgate.snapshot.SnapshotFiles;
import org.bloomgate.sort.KeyCursor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes beside the exact store what changed in its entries since the generations before it, from which mirrors make
/// theirs. Each costs a walk over the store of that generation: a mirror that missed more of them fetches the store
/// itself, as it does when what is kept here of an older one cannot be read.
final class EntryChanges implements AutoCloseable {
    /// A mirror is seldom further behind.
    static final int GENERATIONS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(EntryChanges.class);

    private final List<Since> changes = new ArrayList<>();

    private record Since(String generation, Path file, StoreChange change) {}

    private EntryChanges() {}

    /// @param layer whose generations mirrors may have
    /// @param directory of the snapshot that is built
    /// @param feeds of the store that is built
    static EntryChanges since(LayerDirectory layer, SortedStores stores, Path directory, List<ListedFeed> feeds)
            throws IOException {
        EntryChanges all = new EntryChanges();
        List<String> generations = layer.generations();
        for (String generation :
                generations.subList(Math.max(0, generations.size() - GENERATIONS), generations.size())) {
            Path file = directory.resolve(SnapshotFiles.entries(generation));
            try {
                StoreChange change = StoreChange.begin(file, stores.open(layer.exactDirectory(generation)), feeds);
                all.changes.add(new Since(generation, file, change));
            } catch (IOException unreadable) {
                LOG.debug("no change of entries since {}", generation, unreadable);
                Files.deleteIfExists(file);
            }
        }
        return all;
    }

    /// None are written.
    static EntryChanges none() {
        return new EntryChanges();
    }

    /// Takes the next key of the store that is built.
    void take(KeyCursor key, StoredListings listings) throws IOException {
        if (!changes.isEmpty()) {
            each(change -> change.take(key.kindCode(), key.octets(), 1, key.end(), listings));
        }
    }

    /// @param exactDirectory of the store, which is finished
    void finish(Path exactDirectory) throws IOException {
        each(change -> change.finish(exactDirectory));
    }

    @FunctionalInterface
    private interface Work {
        void on(StoreChange change) throws IOException;
    }

    private void each(Work work) throws IOException {
        for (Iterator<Since> all = changes.iterator(); all.hasNext(); ) {
            Since one = all.next();
            try {
                work.on(one.change);
            } catch (IOException fault) {
                LOG.warn("no change of entries since {}: {}", one.generation, fault.getMessage());
                all.remove();
                one.change.close();
                Files.deleteIfExists(one.file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Since one : changes) {
            one.change.close();
        }
    }
}
