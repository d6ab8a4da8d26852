package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lists.snapshot.ManifestFile;
import org.bloomgate.lists.snapshot.SnapshotFiles;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lookup.store.ChangeStep;
import org.bloomgate.lookup.store.SortedStores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the tables of the exact store of a snapshot from the store that is here and what changed in its entries. A
/// table that has not the digest of the manifest is thrown away: then it is fetched, as it is of a publisher that
/// does not say what changed.
final class ChangedEntries {
    private static final Logger LOG = LoggerFactory.getLogger(ChangedEntries.class);

    /// No path of a manifest.
    private static final String MADE = "made~";

    private final Publisher publisher;
    private final SortedStores stores;
    private final SnapshotManifest manifest;
    private final Path directory;
    private final long maxBytes;
    private final Set<ManifestFile> made;

    /// @param directory where the files of this snapshot come to
    /// @param maxBytes of one snapshot
    /// @param made gets the tables that are here now and have their digest
    ChangedEntries(
            Publisher publisher,
            SortedStores stores,
            SnapshotManifest manifest,
            Path directory,
            long maxBytes,
            Set<ManifestFile> made) {
        this.publisher = publisher;
        this.stores = stores;
        this.manifest = manifest;
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.made = made;
    }

    /// Writes the tables of the manifest, unless they are here or cannot be had this way.
    ///
    /// @param before the current generation here
    /// @throws IOException when the connection or the disk fails
    void build(HashedFilter.InForce before) throws IOException, InterruptedException {
        Path beside = directory.resolve(MADE);
        DurableFiles.deleteTree(beside);
        List<ManifestFile> missing = manifest.files().stream()
                .filter(file -> SnapshotFiles.isExact(file.path()) && !Files.exists(directory.resolve(file.path())))
                .toList();
        List<ManifestFile> steps = steps(before.manifest().generation());
        Path store = SnapshotFiles.exact(before.directory());
        if (steps.isEmpty() || bytes(steps) >= bytes(missing) || !Files.isDirectory(store)) {
            return;
        }
        List<Path> brought = new ArrayList<>();
        for (ManifestFile step : steps) {
            Path file = directory.resolve(step.path());
            FileDownload.bring(publisher, manifest.generation(), step, file);
            brought.add(file);
        }
        make(brought, store, beside);
        take(missing, beside);
        DurableFiles.deleteTree(beside);
        for (Path file : brought) {
            Files.delete(file);
        }
    }

    private static long bytes(List<ManifestFile> files) {
        return files.stream().mapToLong(ManifestFile::sizeBytes).sum();
    }

    /// The changes that lead from a generation to this one, the earliest first; none where one is missing, or there
    /// are too many.
    private List<ManifestFile> steps(String since) {
        String now = manifest.generation();
        Optional<ManifestFile> one = manifest.file(new ChangeStep(since, now).fileName(now));
        if (one.isPresent()) {
            return List.of(one.get());
        }
        List<ManifestFile> steps = new ArrayList<>();
        List<String> paths = manifest.files().stream().map(ManifestFile::path).toList();
        for (ChangeStep step : ChangeStep.leadingTo(now, paths)) {
            steps.addFirst(manifest.file(step.fileName(now)).orElseThrow());
            if (step.since().equals(since)) {
                return steps;
            }
        }
        return List.of();
    }

    private void make(List<Path> changes, Path store, Path into) {
        try {
            stores.follow(changes, store, into, maxBytes);
        } catch (IOException refused) {
            LOG.warn(
                    "mirror: {}/{}: {}; the exact store is fetched whole",
                    manifest.layer(),
                    manifest.generation(),
                    refused.getMessage());
        }
    }

    private void take(List<ManifestFile> missing, Path from) throws IOException {
        for (ManifestFile file : missing) {
            Path target = directory.resolve(file.path());
            Path table = from.resolve(target.getFileName());
            if (Files.exists(table)
                    && Files.size(table) == file.sizeBytes()
                    && Sha256.hex(table).equals(file.sha256())) {
                Files.createDirectories(target.resolveSibling(""));
                Files.move(table, target, StandardCopyOption.ATOMIC_MOVE);
                made.add(file);
            }
        }
    }
}
