package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
                        ? findConfirmation(layer.name(), generation)
                        : findIn(directory, path);
            }
        }
        return Optional.empty();
    }

    /// The confirmation of a generation; empty if the layer has none or another generation's.
    public Optional<PublishedFile> findConfirmation(String layerName, String generation) throws IOException {
        LayerDirectory layer = new LayerDirectory(root, layerName);
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
            return findHashed(directory, path);
        }
        for (ManifestFile manifestFile : reader.readManifest(directory).files()) {
            if (manifestFile.path().equals(path)) {
                return findNamed(directory, manifestFile);
            }
        }
        return Optional.empty();
    }

    /// All files of a generation but its confirmation.
    ///
    /// @param directory of the generation
    /// @throws SnapshotRefusedException when its manifest is damaged, or a file that it names is missing
    public List<PublishedFile> listAll(Path directory) throws IOException {
        List<PublishedFile> found = new ArrayList<>();
        findHashed(directory, SnapshotManifest.FILE_NAME).ifPresent(found::add);
        findHashed(directory, ManifestSignature.FILE_NAME).ifPresent(found::add);
        for (ManifestFile manifestFile : reader.readManifest(directory).files()) {
            found.add(findNamed(directory, manifestFile)
                    .orElseThrow(() -> new SnapshotRefusedException(manifestFile.path() + ": missing")));
        }
        return found;
    }

    private static Optional<PublishedFile> findHashed(Path directory, String path) throws IOException {
        Path file = directory.resolve(path);
        return isInside(directory, file)
                ? Optional.of(new PublishedFile(file, Files.size(file), Sha256.hex(file)))
                : Optional.empty();
    }

    private static Optional<PublishedFile> findNamed(Path directory, ManifestFile manifestFile) throws IOException {
        Path file = directory.resolve(manifestFile.path());
        return isInside(directory, file)
                ? Optional.of(new PublishedFile(file, manifestFile.sizeBytes(), manifestFile.sha256()))
                : Optional.empty();
    }

    private static boolean isInside(Path directory, Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && file.toRealPath().startsWith(directory.toRealPath());
    }
}
