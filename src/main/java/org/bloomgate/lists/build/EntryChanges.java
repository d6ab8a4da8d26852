package org.bloomgate.lists.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lists.snapshot.ManifestFile;
import org.bloomgate.lists.snapshot.SnapshotFiles;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lookup.store.ChangeStep;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.SortedStores;
import org.bloomgate.lookup.store.StoreChange;
import org.bloomgate.lookup.store.StoredListings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes, next to the exact store, the changes of its entries since the previous generation, and carries over
/// that generation's own earlier changes, at most [SortedStores#MAX_CHANGES]. Mirrors build their stores from
/// these steps. Not thread-safe.
public final class EntryChanges implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EntryChanges.class);

    private Optional<Begun> begun;

    /// The change since the generation whose keys the rebuild walks.
    private record Begun(String generation, Path file, PreviousKeys before, StoreChange change) {

        void take(KeyCursor key, StoredListings listings) throws IOException {
            before.requireWhole();
            change.gone(before.passed());
            if (before.isHere()) {
                change.stays(before.stored(), listings);
            } else {
                change.comes(key.kindCode(), key.bytes(), 1, key.end(), listings);
            }
        }

        void finish(Path exactDirectory) throws IOException {
            before.requireWhole();
            change.gone(before.passed());
            change.finish(exactDirectory);
        }
    }

    private EntryChanges(Optional<Begun> begun) {
        this.begun = begun;
    }

    /// @param previous the current snapshot of the layer
    /// @param walked its keys, moved on by the rebuild before each [#take]
    /// @param generation that is built
    /// @param snapshot directory of that
    /// @param feeds of the store that is built
    public static EntryChanges since(
            PreviousSnapshot previous, PreviousKeys walked, String generation, Path snapshot, List<ListedFeed> feeds)
            throws IOException {
        if (walked.feeds().isEmpty() || previous.manifest().isEmpty()) {
            return none();
        }
        SnapshotManifest manifest = previous.manifest().get();
        String before = manifest.generation();
        handOn(manifest, previous.layer().generation(before), generation, snapshot);
        Path file = snapshot.resolve(new ChangeStep(before, generation).fileName(generation));
        StoreChange change = StoreChange.begin(file, walked.feeds(), feeds);
        return new EntryChanges(Optional.of(new Begun(before, file, walked, change)));
    }

    /// None are written.
    public static EntryChanges none() {
        return new EntryChanges(Optional.empty());
    }

    /// The steps that led to the generation before, the last first, while they are smaller than its store together.
    /// One that cannot be read, or is not as it was written, ends that: who needs it fetches the store.
    private static void handOn(SnapshotManifest before, Path from, String generation, Path to) throws IOException {
        List<String> paths = before.files().stream().map(ManifestFile::path).toList();
        long left = before.files().stream()
                .filter(file -> SnapshotFiles.isExact(file.path()))
                .mapToLong(ManifestFile::sizeBytes)
                .sum();
        for (ChangeStep step : ChangeStep.leadingTo(before.generation(), paths).stream()
                .limit(SortedStores.MAX_CHANGES - 1L)
                .toList()) {
            ManifestFile file = before.file(step.fileName(before.generation())).orElseThrow();
            left -= file.sizeBytes();
            if (left <= 0 || !isHandedOn(from.resolve(file.path()), file, to.resolve(step.fileName(generation)))) {
                return;
            }
        }
    }

    private static boolean isHandedOn(Path from, ManifestFile file, Path to) throws IOException {
        try {
            Path _ = Files.copy(from, to);
            if (Sha256.hex(to).equals(file.sha256())) {
                return true;
            }
            LOG.warn("{} is damaged and not handed on", from);
        } catch (IOException unreadable) {
            LOG.warn("{} is not handed on: {}", from, IoText.describe(unreadable));
        }
        Files.deleteIfExists(to);
        return false;
    }

    /// Takes the next key of the store that is built, to which the walk of the rebuild was moved.
    void take(KeyCursor key, StoredListings listings) throws IOException {
        if (begun.isPresent()) {
            try {
                begun.get().take(key, listings);
            } catch (IOException fault) {
                giveUp(fault);
            }
        }
    }

    /// @param exactDirectory of the store, which is finished
    void finish(Path exactDirectory) throws IOException {
        if (begun.isPresent()) {
            try {
                begun.get().finish(exactDirectory);
            } catch (IOException fault) {
                giveUp(fault);
            }
        }
    }

    /// Mirrors fetch the whole store then.
    private void giveUp(IOException fault) throws IOException {
        Begun given = begun.orElseThrow();
        LOG.warn("no change of entries since {}: {}", given.generation(), IoText.describe(fault));
        close();
        begun = Optional.empty();
        Files.deleteIfExists(given.file());
    }

    @Override
    public void close() throws IOException {
        if (begun.isPresent()) {
            begun.get().change().close();
        }
    }
}
