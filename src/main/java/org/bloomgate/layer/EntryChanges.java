package org.bloomgate.layer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bloomgate.exact.ChangeStep;
import org.bloomgate.exact.ListedFeed;
import org.bloomgate.exact.StoreChange;
import org.bloomgate.exact.StoredListings;
import org.bloomgate.snapshot.ManifestFile;
import org.bloomgate.snapshot.SnapshotFiles;
import org.bloomgate.snapshot.SnapshotManifest;
import org.bloomgate.sort.KeyCursor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes beside the exact store what changed in its entries since the generation before it, and hands on what that
/// one has of the changes before: from these steps mirrors make their stores. Not thread-safe.
public final class EntryChanges implements AutoCloseable {
    /// A mirror that missed more generations fetches the store itself.
    static final int STEPS = 7;

    private static final Logger LOG = LoggerFactory.getLogger(EntryChanges.class);

    private Optional<Since> since;

    /// The change since the generation whose keys the rebuild walks.
    private record Since(String generation, Path file, PreviousKeys before, StoreChange change) {

        void take(KeyCursor key, StoredListings listings) throws IOException {
            before.requireWhole();
            change.gone(before.passed());
            if (before.isHere()) {
                change.stays(before.stored(), listings);
            } else {
                change.comes(key.kindCode(), key.octets(), 1, key.end(), listings);
            }
        }

        void finish(Path exactDirectory) throws IOException {
            before.requireWhole();
            change.gone(before.passed());
            change.finish(exactDirectory);
        }
    }

    private EntryChanges(Optional<Since> since) {
        this.since = since;
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
        return new EntryChanges(Optional.of(new Since(before, file, walked, change)));
    }

    /// None are written.
    public static EntryChanges none() {
        return new EntryChanges(Optional.empty());
    }

    /// The steps that led to the generation before, the last first, as long as they are less than its store.
    private static void handOn(SnapshotManifest before, Path from, String generation, Path to) throws IOException {
        long left = before.files().stream()
                .filter(file -> SnapshotFiles.isExact(file.path()))
                .mapToLong(ManifestFile::sizeBytes)
                .sum();
        String until = before.generation();
        for (int i = 1; i < STEPS; i++) {
            Optional<ChangeStep> step = step(before, until);
            Optional<ManifestFile> file = step.flatMap(one -> before.file(one.fileName(before.generation())));
            left -= file.map(ManifestFile::sizeBytes).orElse(0L);
            if (file.isEmpty() || left <= 0) {
                return;
            }
            try {
                Path _ = Files.copy(
                        from.resolve(file.get().path()), to.resolve(step.get().fileName(generation)));
            } catch (NoSuchFileException gone) {
                LOG.debug("no change of entries since {}", step.get().since(), gone);
                return;
            }
            until = step.get().since();
        }
    }

    /// The shortest that leads there.
    private static Optional<ChangeStep> step(SnapshotManifest manifest, String until) {
        return manifest.files().stream()
                .flatMap(file -> ChangeStep.of(file.path(), manifest.generation()).stream())
                .filter(step -> step.until().equals(until))
                .max(Comparator.comparing(ChangeStep::since));
    }

    /// Takes the next key of the store that is built, to which the walk of the rebuild was moved.
    void take(KeyCursor key, StoredListings listings) throws IOException {
        if (since.isPresent()) {
            try {
                since.get().take(key, listings);
            } catch (IOException fault) {
                giveUp(fault);
            }
        }
    }

    /// @param exactDirectory of the store, which is finished
    void finish(Path exactDirectory) throws IOException {
        if (since.isPresent()) {
            try {
                since.get().finish(exactDirectory);
            } catch (IOException fault) {
                giveUp(fault);
            }
        }
    }

    /// Costs mirrors the store.
    private void giveUp(IOException fault) throws IOException {
        Since given = since.orElseThrow();
        LOG.warn("no change of entries since {}: {}", given.generation(), fault.getMessage());
        close();
        since = Optional.empty();
        Files.deleteIfExists(given.file());
    }

    @Override
    public void close() throws IOException {
        if (since.isPresent()) {
            since.get().change().close();
        }
    }
}
