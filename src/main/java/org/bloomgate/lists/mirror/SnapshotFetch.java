package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.io.DiskSpace;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lists.snapshot.Confirmation;
import org.bloomgate.lists.snapshot.ManifestFile;
import org.bloomgate.lists.snapshot.ManifestFilter;
import org.bloomgate.lists.snapshot.ManifestSignature;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SnapshotCopy;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;

/// Fetches a snapshot: first manifest and signature, which name the other files and their sizes.
final class SnapshotFetch {
    private static final int MAX_MANIFEST_BYTES = 4 << 20;

    private final Publisher publisher;
    private final SnapshotReader reader;
    private final long maxBytes;
    private final DiskSpace.Meter disks;

    /// @param maxBytes of one snapshot
    SnapshotFetch(Publisher publisher, SnapshotReader reader, long maxBytes, DiskSpace.Meter disks) {
        this.disks = disks;
        this.publisher = publisher;
        this.reader = reader;
        this.maxBytes = maxBytes;
    }

    /// Fetches the files into the copy and makes it current.
    ///
    /// @throws IOException if a file cannot be fetched or does not verify; the received files stay for the next
    ///     attempt
    void fetchInto(SnapshotCopy copy, PublishedState.CurrentGeneration published)
            throws IOException, InterruptedException {
        fetchManifest(copy.directory(), published);
        SnapshotManifest manifest = copy.readManifest(reader);
        List<ManifestFile> files = selectFiles(manifest);
        requireSpace(copy.directory(), files);
        Set<ManifestFile> completeFiles = new HashSet<>();
        Optional<HashedFilter.CurrentSnapshot> current = findCurrentSnapshot(copy);
        if (current.isPresent()) {
            copyUnchanged(files, current.get(), copy.directory(), completeFiles);
        }
        HashedFilter hashedFilter = new HashedFilter(publisher, manifest, copy.directory(), current, completeFiles);
        for (ManifestFilter filter : manifest.filters()) {
            hashedFilter.build(filter);
        }
        for (ManifestFile file : files) {
            if (!completeFiles.contains(file)) {
                Path target = copy.directory().resolve(file.path());
                Files.createDirectories(target.resolveSibling(""));
                fetch(published.generation(), file, target);
            }
        }
        copy.publish(reader);
    }

    /// Empty if there is no snapshot, or its manifest is damaged.
    private Optional<HashedFilter.CurrentSnapshot> findCurrentSnapshot(SnapshotCopy copy) throws IOException {
        Optional<Path> current = copy.findCurrent();
        try {
            return current.isPresent()
                    ? Optional.of(new HashedFilter.CurrentSnapshot(reader.readManifest(current.get()), current.get()))
                    : Optional.empty();
        } catch (SnapshotRefusedException _) {
            return Optional.empty();
        }
    }

    /// Reuses files that did not change and are intact. They are copied and not linked, as a write to one must
    /// not change the other.
    ///
    /// @param completeFiles gets the copied files
    private static void copyUnchanged(
            List<ManifestFile> files,
            HashedFilter.CurrentSnapshot current,
            Path directory,
            Set<ManifestFile> completeFiles)
            throws IOException {
        for (ManifestFile file : files) {
            Path target = directory.resolve(file.path());
            Path currentFile = current.directory().resolve(file.path());
            boolean isUnchanged = current.findFile(file.path()).equals(Optional.of(file));
            if (isUnchanged && !Files.exists(target) && Files.isRegularFile(currentFile, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectories(target.resolveSibling(""));
                Files.copy(currentFile, target);
                if (Sha256.hex(target).equals(file.sha256())) {
                    completeFiles.add(file);
                } else {
                    Files.delete(target);
                }
            }
        }
    }

    private void fetch(String generation, ManifestFile file, Path target) throws IOException, InterruptedException {
        try {
            FileDownload.fetch(publisher, generation, file, target);
        } catch (PublisherException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(file.path() + ": " + e, e);
        }
    }

    private void fetchManifest(Path directory, PublishedState.CurrentGeneration published)
            throws IOException, InterruptedException {
        String generation = published.generation();
        Path signature = directory.resolve(ManifestSignature.FILE_NAME);
        HttpResponse<byte[]> signatureResponse =
                fetchSmall(generation, ManifestSignature.FILE_NAME, ManifestSignature.MAX_BYTES);
        switch (signatureResponse.statusCode()) {
            case 200 -> Files.write(signature, signatureResponse.body());
            case 404 -> Files.deleteIfExists(signature);
            default ->
                throw new PublisherException(
                        ManifestSignature.FILE_NAME + ": status " + signatureResponse.statusCode());
        }
        HttpResponse<byte[]> manifest = fetchSmall(generation, SnapshotManifest.FILE_NAME, MAX_MANIFEST_BYTES);
        if (manifest.statusCode() != 200) {
            throw new PublisherException(SnapshotManifest.FILE_NAME + ": status " + manifest.statusCode());
        }
        if (!published.matches(manifest.body())) {
            throw new PublisherException(
                    SnapshotManifest.FILE_NAME + ": does not match the digest in the publisher's statement");
        }
        Files.write(directory.resolve(SnapshotManifest.FILE_NAME), manifest.body());
    }

    /// The publisher's last confirmation that a generation is still the newest.
    byte[] fetchConfirmation(String generation) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = fetchSmall(generation, Confirmation.FILE_NAME, Confirmation.MAX_BYTES);
        if (response.statusCode() != 200) {
            throw new PublisherException(Confirmation.FILE_NAME + ": status " + response.statusCode());
        }
        return response.body();
    }

    private HttpResponse<byte[]> fetchSmall(String generation, String name, int maxBytes)
            throws IOException, InterruptedException {
        return publisher.fetchSmall(
                publisher.createRequest(generation + "/" + name).build(), maxBytes);
    }

    private List<ManifestFile> selectFiles(SnapshotManifest manifest) throws PublisherException {
        long remainingBytes = maxBytes;
        for (ManifestFile file : manifest.files()) {
            if (file.sizeBytes() < 0 || file.sizeBytes() > remainingBytes) {
                throw new PublisherException("manifest.json: files of more than " + maxBytes + " bytes");
            }
            remainingBytes -= file.sizeBytes();
        }
        return manifest.files().stream().filter(reader.scope()::covers).toList();
    }

    /// A disk that fills up during the transfer would also stop the logs and the mail of this machine.
    private void requireSpace(Path directory, List<ManifestFile> files) throws IOException {
        long missingBytes = 0;
        for (ManifestFile file : files) {
            Path received = directory.resolve(file.path());
            missingBytes +=
                    file.sizeBytes() - Math.min(file.sizeBytes(), Files.exists(received) ? Files.size(received) : 0);
        }
        Optional<String> shortage = disks.measure(directory).findShortage(missingBytes, directory);
        if (shortage.isPresent()) {
            throw new PublisherException(shortage.get());
        }
    }
}
