package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    /// The space that stays free for logs, the journal and messages: a twentieth of the disk, at most a
    /// gibibyte.
    private static final long MAX_RESERVE_BYTES = 1L << 30;

    private static final int RESERVE_SHARE = 20;

    private final Publisher publisher;
    private final SnapshotReader reader;
    private final long maxBytes;
    private final Disks disks;

    /// Returns the space of the disk that a folder is on.
    @FunctionalInterface
    interface Disks {
        Room of(Path folder) throws IOException;

        static Room real(Path folder) throws IOException {
            FileStore disk = Files.getFileStore(folder);
            return new Room(disk.getTotalSpace(), disk.getUsableSpace());
        }
    }

    /// The size of a disk, and its free space.
    record Room(long totalBytes, long usableBytes) {
        long reserveBytes() {
            return Math.min(MAX_RESERVE_BYTES, totalBytes / RESERVE_SHARE);
        }
    }

    /// @param maxBytes of one snapshot
    SnapshotFetch(Publisher publisher, SnapshotReader reader, long maxBytes, Disks disks) {
        this.disks = disks;
        this.publisher = publisher;
        this.reader = reader;
        this.maxBytes = maxBytes;
    }

    /// Fetches the files into the copy and makes it current.
    ///
    /// @throws IOException if a file cannot be fetched or does not verify; the received files stay for the next
    ///     attempt
    void into(SnapshotCopy copy, PublishedState.CurrentGeneration published) throws IOException, InterruptedException {
        fetchManifest(copy.directory(), published);
        SnapshotManifest manifest = copy.readManifest(reader);
        List<ManifestFile> files = files(manifest);
        requireSpace(copy.directory(), files);
        Set<ManifestFile> complete = new HashSet<>();
        Optional<HashedFilter.CurrentSnapshot> current = currentSnapshot(copy);
        if (current.isPresent()) {
            copyUnchanged(files, current.get(), copy.directory(), complete);
        }
        HashedFilter hashed = new HashedFilter(publisher, manifest, copy.directory(), current, complete);
        for (ManifestFilter filter : manifest.filters()) {
            hashed.build(filter);
        }
        for (ManifestFile file : files) {
            if (!complete.contains(file)) {
                Path target = copy.directory().resolve(file.path());
                Files.createDirectories(target.resolveSibling(""));
                fetch(published.generation(), file, target);
            }
        }
        copy.publish(reader);
    }

    /// Empty if there is no snapshot, or its manifest is damaged.
    private Optional<HashedFilter.CurrentSnapshot> currentSnapshot(SnapshotCopy copy) throws IOException {
        Optional<Path> current = copy.findCurrent();
        try {
            return current.isPresent()
                    ? Optional.of(new HashedFilter.CurrentSnapshot(reader.readManifest(current.get()), current.get()))
                    : Optional.empty();
        } catch (SnapshotRefusedException damaged) {
            return Optional.empty();
        }
    }

    /// Reuses files that did not change and are intact. They are copied and not linked, as a write to one must
    /// not change the other.
    ///
    /// @param complete gets the copied files
    private static void copyUnchanged(
            List<ManifestFile> files, HashedFilter.CurrentSnapshot current, Path directory, Set<ManifestFile> complete)
            throws IOException {
        for (ManifestFile file : files) {
            Path target = directory.resolve(file.path());
            Path here = current.directory().resolve(file.path());
            boolean same = current.file(file.path()).equals(Optional.of(file));
            if (same && !Files.exists(target) && Files.isRegularFile(here, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectories(target.resolveSibling(""));
                Files.copy(here, target);
                if (Sha256.hex(target).equals(file.sha256())) {
                    complete.add(file);
                } else {
                    Files.delete(target);
                }
            }
        }
    }

    private void fetch(String generation, ManifestFile file, Path target) throws IOException, InterruptedException {
        try {
            FileDownload.fetch(publisher, generation, file, target);
        } catch (PublisherException named) {
            throw named;
        } catch (IOException broken) {
            throw new IOException(file.path() + ": " + broken, broken);
        }
    }

    private void fetchManifest(Path directory, PublishedState.CurrentGeneration published)
            throws IOException, InterruptedException {
        String generation = published.generation();
        Path signature = directory.resolve(ManifestSignature.FILE_NAME);
        HttpResponse<byte[]> signed = small(generation, ManifestSignature.FILE_NAME, ManifestSignature.MAX_BYTES);
        switch (signed.statusCode()) {
            case 200 -> Files.write(signature, signed.body());
            case 404 -> Files.deleteIfExists(signature);
            default -> throw new PublisherException(ManifestSignature.FILE_NAME + ": status " + signed.statusCode());
        }
        HttpResponse<byte[]> manifest = small(generation, SnapshotManifest.FILE_NAME, MAX_MANIFEST_BYTES);
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
    byte[] confirmation(String generation) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = small(generation, Confirmation.FILE_NAME, Confirmation.MAX_BYTES);
        if (answer.statusCode() != 200) {
            throw new PublisherException(Confirmation.FILE_NAME + ": status " + answer.statusCode());
        }
        return answer.body();
    }

    private HttpResponse<byte[]> small(String generation, String name, int maxBytes)
            throws IOException, InterruptedException {
        return publisher.small(publisher.request(generation + "/" + name).build(), maxBytes);
    }

    private List<ManifestFile> files(SnapshotManifest manifest) throws PublisherException {
        long left = maxBytes;
        for (ManifestFile file : manifest.files()) {
            if (file.sizeBytes() < 0 || file.sizeBytes() > left) {
                throw new PublisherException("manifest.json: files of more than " + maxBytes + " bytes");
            }
            left -= file.sizeBytes();
        }
        return manifest.files().stream().filter(reader.scope()::covers).toList();
    }

    /// A disk that fills up during the transfer would also stop the logs and the mail of this machine.
    private void requireSpace(Path directory, List<ManifestFile> files) throws IOException {
        long missing = 0;
        for (ManifestFile file : files) {
            Path here = directory.resolve(file.path());
            missing += file.sizeBytes() - Math.min(file.sizeBytes(), Files.exists(here) ? Files.size(here) : 0);
        }
        Room room = disks.of(directory);
        if (room.usableBytes() - room.reserveBytes() < missing) {
            throw new PublisherException("no space: " + missing + " bytes to fetch, and " + room.usableBytes()
                    + " are free on " + directory + ", and " + room.reserveBytes() + " of them have to stay free");
        }
    }
}
