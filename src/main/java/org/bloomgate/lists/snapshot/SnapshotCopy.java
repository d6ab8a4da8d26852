package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.LockFile;

/// A snapshot that was published elsewhere, fetched file by file next to the published ones and made current
/// when all of it verifies. Fetched files survive the end of the process; the next copy continues with them.
///
/// Holds the lock of the layer from [#begin] to [#close()]. Not thread-safe.
public final class SnapshotCopy implements AutoCloseable {
    private final LayerDirectory layer;
    private final LockFile lock;
    private final String generation;
    private final Path incomingDirectory;

    private SnapshotCopy(LayerDirectory layer, LockFile lock, String generation) throws IOException {
        this.layer = layer;
        this.lock = lock;
        this.generation = generation;
        this.incomingDirectory = layer.resolveIncoming(generation);
        layer.sweepAllBut(incomingDirectory);
        Files.createDirectories(incomingDirectory);
    }

    /// Takes the layer's lock; deletes the remains of other copies.
    ///
    /// @throws LayerBusyException while another process writes the layer
    /// @throws IllegalArgumentException if the generation is not an id, or the layer not a name
    public static SnapshotCopy begin(Path root, String layer, String generation) throws IOException {
        LayerDirectory directory = new LayerDirectory(root, layer);
        Path _ = directory.resolveGeneration(generation);
        LockFile lock = directory.lock();
        try {
            return new SnapshotCopy(directory, lock, generation);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /// The directory of the files, under the paths of the manifest. Contains the files that an earlier copy of this
    /// generation fetched.
    public Path directory() {
        return incomingDirectory;
    }

    /// The current snapshot of the layer; empty if there is none, or the pointer is unreadable.
    public Optional<Path> findCurrent() throws IOException {
        try {
            return layer.readCurrent().map(layer::resolveGeneration).filter(Files::isDirectory);
        } catch (SnapshotRefusedException _) {
            return Optional.empty();
        }
    }

    /// Reads and checks the fetched manifest, before the files that it names are fetched.
    ///
    /// @throws SnapshotRefusedException when it is the manifest of another snapshot, or damaged
    public SnapshotManifest readManifest(SnapshotReader reader) throws IOException {
        SnapshotManifest manifest = reader.readManifest(incomingDirectory);
        if (!manifest.layer().equals(layer.name()) || !manifest.generation().equals(generation)) {
            throw new SnapshotRefusedException(
                    "manifest.json: is that of " + manifest.layer() + "/" + manifest.generation());
        }
        return manifest;
    }

    /// Makes the copy current. An existing directory of this generation, which did not verify, is replaced.
    ///
    /// @throws SnapshotRefusedException when it does not verify; the previous snapshot stays current
    public void publish(SnapshotReader reader) throws IOException {
        SnapshotScope scope = reader.scope();
        deleteAllBut(readManifest(reader).files().stream().filter(scope::covers));
        reader.open(incomingDirectory).close();
        DurableFiles.forceTree(incomingDirectory);
        if (Files.exists(layer.resolveGeneration(generation))) {
            layer.retire(generation);
        }
        DurableFiles.rename(incomingDirectory, layer.resolveGeneration(generation));
        layer.pointTo(generation);
    }

    /// Temporary files, and files of an earlier copy under another manifest, are not part of this snapshot.
    private void deleteAllBut(Stream<ManifestFile> files) throws IOException {
        Set<String> manifestPaths = files.map(ManifestFile::path).collect(Collectors.toSet());
        for (Path file : DurableFiles.regularFiles(incomingDirectory)) {
            String path = incomingDirectory.relativize(file).toString().replace('\\', '/');
            boolean isManifest = path.equals(SnapshotManifest.FILE_NAME) || path.equals(ManifestSignature.FILE_NAME);
            if (!isManifest && !manifestPaths.contains(path)) {
                Files.delete(file);
            }
        }
    }

    /// Deletes generations that are too old; the current one stays whatever its age, and one of each of the
    /// last days.
    ///
    /// @param retainedCount generations to keep, the newest included
    public void prune(int retainedCount, Instant now) throws IOException {
        layer.prune(retainedCount, now);
    }

    /// Releases the layer.
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
