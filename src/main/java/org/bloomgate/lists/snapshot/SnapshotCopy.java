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
    private final Path incoming;

    private SnapshotCopy(LayerDirectory layer, LockFile lock, String generation) throws IOException {
        this.layer = layer;
        this.lock = lock;
        this.generation = generation;
        this.incoming = layer.incoming(generation);
        layer.sweepAllBut(incoming);
        Files.createDirectories(incoming);
    }

    /// Takes the layer's lock; deletes what is left of other copies.
    ///
    /// @throws LayerBusyException while another process writes the layer
    /// @throws IllegalArgumentException if the generation is not an id, or the layer not a name
    public static SnapshotCopy begin(Path root, String layer, String generation) throws IOException {
        LayerDirectory directory = new LayerDirectory(root, layer);
        Path _ = directory.generation(generation);
        LockFile lock = directory.lock();
        try {
            return new SnapshotCopy(directory, lock, generation);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /// Where the files go, under the paths of the manifest. Contains the files that an earlier copy of this
    /// generation fetched.
    public Path directory() {
        return incoming;
    }

    /// The current snapshot of the layer; empty if there is none, or the pointer is unreadable.
    public Optional<Path> current() throws IOException {
        try {
            return layer.current().map(layer::generation).filter(Files::isDirectory);
        } catch (SnapshotRefusedException unreadable) {
            return Optional.empty();
        }
    }

    /// Reads and checks the fetched manifest, before the files that it names are fetched.
    ///
    /// @throws SnapshotRefusedException when it is the manifest of another snapshot, or damaged
    public SnapshotManifest manifest(SnapshotReader reader) throws IOException {
        SnapshotManifest manifest = reader.readManifest(incoming);
        if (!manifest.layer().equals(layer.name()) || !manifest.generation().equals(generation)) {
            throw new SnapshotRefusedException(
                    "manifest.json: is that of " + manifest.layer() + "/" + manifest.generation());
        }
        return manifest;
    }

    /// Makes the copy current. An existing directory of this generation, which did not verify, is replaced.
    ///
    /// @throws SnapshotRefusedException when it does not verify; the snapshot before stays current
    public void publish(SnapshotReader reader) throws IOException {
        SnapshotScope scope = reader.scope();
        deleteAllBut(manifest(reader).files().stream().filter(scope::covers));
        reader.open(incoming).close();
        DurableFiles.forceTree(incoming);
        if (Files.exists(layer.generation(generation))) {
            layer.retire(generation);
        }
        DurableFiles.rename(incoming, layer.generation(generation));
        layer.pointTo(generation);
    }

    /// Temporary files, and files of an earlier copy under another manifest, are not part of this snapshot.
    private void deleteAllBut(Stream<ManifestFile> files) throws IOException {
        Set<String> named = files.map(ManifestFile::path).collect(Collectors.toSet());
        for (Path file : DurableFiles.regularFiles(incoming)) {
            String path = incoming.relativize(file).toString().replace('\\', '/');
            boolean own = path.equals(SnapshotManifest.FILE_NAME) || path.equals(ManifestSignature.FILE_NAME);
            if (!own && !named.contains(path)) {
                Files.delete(file);
            }
        }
    }

    /// Deletes generations that are too old; the current one stays whatever its age, and one of each of the
    /// last days.
    ///
    /// @param retained generations to keep, the newest included
    public void prune(int retained, Instant now) throws IOException {
        layer.prune(retained, now);
    }

    /// Releases the layer.
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
