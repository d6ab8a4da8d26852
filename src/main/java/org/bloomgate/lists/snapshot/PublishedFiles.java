package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.base.io.Sha256;

/// The files of the snapshots below a root that may be served: manifests, signatures, confirmations, and the
/// files named in a manifest. Thread-safe.
public final class PublishedFiles {
    /// The path of the files below the URL of a publisher.
    public static final String PATH = "/v1/snapshots/";

    private final Path root;
    private final SnapshotReader reader = new SnapshotReader();

    /// @param root of all layers
    public PublishedFiles(Path root) {
        this.root = root;
    }

    /// A file that may be served.
    ///
    /// @param sha256 64 lower-case hex digits; as in the manifest for the files it names, else computed
    public record PublishedFile(Path file, long sizeBytes, String sha256) {}

    /// @param generation requested id, checked here
    /// @param path requested path in the snapshot, checked here
    /// @throws SnapshotRefusedException when the manifest is damaged
    public Optional<PublishedFile> find(String generation, String path) throws IOException {
        if (!LayerDirectory.isGenerationId(generation)) {
            return Optional.empty();
        }
        for (LayerDirectory layer : LayerDirectory.listAll(root)) {
            Path directory = layer.resolveGeneration(generation);
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                return path.equals(Confirmation.FILE_NAME)
                        ? findConfirmation(layer, generation)
                        : findIn(directory, path);
            }
        }
        return Optional.empty();
    }

    private static Optional<PublishedFile> findConfirmation(LayerDirectory layer, String generation)
            throws IOException {
        Optional<byte[]> bytes = Confirmation.readBytes(layer.path());
        boolean isOfGeneration = bytes.isPresent()
                && Confirmation.parse(bytes.get()).confirmation().generation().equals(generation);
        Path file = layer.path().resolve(Confirmation.FILE_NAME);
        return isOfGeneration && isInside(layer.path(), file)
                ? Optional.of(new PublishedFile(file, bytes.get().length, Sha256.hex(bytes.get())))
                : Optional.empty();
    }

    private Optional<PublishedFile> findIn(Path directory, String path) throws IOException {
        if (path.equals(SnapshotManifest.FILE_NAME) || path.equals(ManifestSignature.FILE_NAME)) {
            Path file = directory.resolve(path);
            return isInside(directory, file)
                    ? Optional.of(new PublishedFile(file, Files.size(file), Sha256.hex(file)))
                    : Optional.empty();
        }
        for (ManifestFile manifestFile : reader.readManifest(directory).files()) {
            Path file = directory.resolve(manifestFile.path());
            if (manifestFile.path().equals(path) && isInside(directory, file)) {
                return Optional.of(new PublishedFile(file, manifestFile.sizeBytes(), manifestFile.sha256()));
            }
        }
        return Optional.empty();
    }

    private static boolean isInside(Path directory, Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && file.toRealPath().startsWith(directory.toRealPath());
    }
}
