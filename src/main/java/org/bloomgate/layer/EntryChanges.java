package org.bloomgate.layer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.bloomgate.exact.ListedFeed;
import org.bloomgate.exact.SortedStore;
import org.bloomgate.exact.SortedStores;
import org.bloomgate.exact.StoreChange;
import org.bloomgate.exact.StoreWalk;
import org.bloomgate.exact.StoredListings;
import org.bloomgate.snapshot.LayerDirectory;
import org.bloomgate.snapshot.SnapshotFiles;
import org.bloomgate.sort.KeyCursor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes beside the exact store what changed in its entries since the generations before it, from which mirrors make
/// theirs. Each costs a walk over the store of that generation: a mirror that missed more of them fetches the store
/// itself, as it does when what is kept here of an older one cannot be read. Not thread-safe but for [#takeApart].
public final class EntryChanges implements AutoCloseable {
    /// A mirror is seldom further behind.
    static final int GENERATIONS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(EntryChanges.class);

    /// Those that go with the walk of the rebuild.
    private final List<Since> beside = new ArrayList<>();

    /// Those that walk by themselves.
    private final List<Since> apart = new ArrayList<>();

    /// The store that a change begins at, walked beside the new keys.
    private sealed interface Before {

        /// By the rebuild itself.
        record Shared(PreviousKeys keys) implements Before {}

        record Own(StoreWalk walk) implements Before {}
    }

    private record Since(String generation, Path file, Before before, StoreChange change) {

        void take(int kindCode, byte[] octets, int from, int to, StoredListings listings) throws IOException {
            boolean stays = switch (before) {
                case Before.Shared(PreviousKeys keys) -> {
                    keys.requireWhole();
                    change.gone(keys.passed());
                    yield keys.isHere();
                }
                case Before.Own(StoreWalk walk) -> {
                    change.gone(walk.moveTo(kindCode, octets, from, to));
                    yield walk.isHere();
                }
            };
            if (stays) {
                change.stays(stored(), listings);
            } else {
                change.comes(kindCode, octets, from, to, listings);
            }
        }

        private StoredListings stored() {
            return switch (before) {
                case Before.Shared(PreviousKeys keys) -> keys.stored();
                case Before.Own(StoreWalk walk) -> walk.stored();
            };
        }

        void finish(Path exactDirectory) throws IOException {
            switch (before) {
                case Before.Shared(PreviousKeys keys) -> {
                    keys.requireWhole();
                    change.gone(keys.passed());
                }
                case Before.Own(StoreWalk walk) -> change.gone(walk.finish());
            }
            change.finish(exactDirectory);
        }

        void close() throws IOException {
            change.close();
            switch (before) {
                case Before.Shared _ -> {}
                case Before.Own(StoreWalk walk) -> walk.close();
            }
        }
    }

    private EntryChanges() {}

    /// @param previous of the current generation of the layer, moved on by the rebuild before each [#take]
    /// @param directory of the snapshot that is built
    /// @param feeds of the store that is built
    public static EntryChanges since(
            PreviousSnapshot previous, PreviousKeys walked, SortedStores stores, Path directory, List<ListedFeed> feeds)
            throws IOException {
        EntryChanges all = new EntryChanges();
        LayerDirectory layer = previous.layer();
        List<String> generations = layer.generations();
        for (String generation :
                generations.subList(Math.max(0, generations.size() - GENERATIONS), generations.size())) {
            Path file = directory.resolve(SnapshotFiles.entries(generation));
            boolean isWalked =
                    !walked.feeds().isEmpty() && previous.generation().equals(Optional.of(generation));
            try {
                if (isWalked) {
                    all.beside.add(shared(generation, file, walked, feeds));
                } else {
                    all.apart.add(own(generation, file, stores.open(layer.exactDirectory(generation)), feeds));
                }
            } catch (IOException unreadable) {
                LOG.debug("no change of entries since {}", generation, unreadable);
                Files.deleteIfExists(file);
            }
        }
        return all;
    }

    private static Since shared(String generation, Path file, PreviousKeys walked, List<ListedFeed> feeds)
            throws IOException {
        return new Since(generation, file, new Before.Shared(walked), StoreChange.begin(file, walked.feeds(), feeds));
    }

    private static Since own(String generation, Path file, SortedStore store, List<ListedFeed> feeds)
            throws IOException {
        List<ListedFeed> before = store.feeds();
        StoreWalk walk = StoreWalk.over(store);
        try {
            return new Since(generation, file, new Before.Own(walk), StoreChange.begin(file, before, feeds));
        } catch (IOException e) {
            walk.close();
            throw e;
        }
    }

    /// None are written.
    public static EntryChanges none() {
        return new EntryChanges();
    }

    /// Takes the next key of the store that is built, to which the walk of the rebuild was moved, for the change that
    /// begins there.
    void take(KeyCursor key, StoredListings listings) throws IOException {
        if (!beside.isEmpty()) {
            each(beside, since -> since.take(key.kindCode(), key.octets(), 1, key.end(), listings));
        }
    }

    /// Takes the next key of the store that is built for the other changes. May be called by another thread.
    void takeApart(int kindCode, byte[] octets, int from, int to, StoredListings listings) throws IOException {
        if (!apart.isEmpty()) {
            each(apart, since -> since.take(kindCode, octets, from, to, listings));
        }
    }

    /// @param exactDirectory of the store, which is finished
    void finish(Path exactDirectory) throws IOException {
        each(beside, since -> since.finish(exactDirectory));
        each(apart, since -> since.finish(exactDirectory));
    }

    @FunctionalInterface
    private interface Work {
        void on(Since since) throws IOException;
    }

    private static void each(List<Since> changes, Work work) throws IOException {
        for (Iterator<Since> all = changes.iterator(); all.hasNext(); ) {
            Since one = all.next();
            try {
                work.on(one);
            } catch (IOException fault) {
                LOG.warn("no change of entries since {}: {}", one.generation, fault.getMessage());
                all.remove();
                one.close();
                Files.deleteIfExists(one.file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Since one : beside) {
            one.close();
        }
        for (Since one : apart) {
            one.close();
        }
    }
}
