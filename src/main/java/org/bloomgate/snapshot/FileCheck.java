package org.bloomgate.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bloomgate.disk.BlockChecksums;
import org.bloomgate.disk.Sha256;
import org.bloomgate.disk.VerifiedFiles;

/// Compares files of a snapshot with what its manifest says of them, each read once at most, and tells later whether
/// they are the same still. Not thread-safe.
final class FileCheck {
    private final Path directory;
    private final VerifiedFiles known;
    private final List<Path> files = new ArrayList<>();
    private final List<VerifiedFiles.Stamp> stamps = new ArrayList<>();

    /// Whom a file that is another one may come from.
    enum Against {
        /// Nobody: a disk, a network or a process that failed. [Checksums] show it.
        DAMAGE,
        /// Somebody who can write below the folder but cannot sign, or who is between a publisher and here. SHA-256
        /// shows it.
        FORGERY
    }

    /// @param known digests need not be taken again
    FileCheck(Path directory, VerifiedFiles known) {
        this.directory = directory;
        this.known = known;
    }

    /// @param demanded of the manifest's files, whose sizes were compared
    /// @throws SnapshotRefusedException when one is not as it must be
    void require(SnapshotManifest manifest, List<ManifestFile> demanded, Against against) throws IOException {
        Checksums checksums = against == Against.DAMAGE ? checksums(manifest) : Checksums.none();
        List<ManifestFile> byChecksums = new ArrayList<>();
        List<List<Long>> expected = new ArrayList<>();
        List<ManifestFile> byDigest = new ArrayList<>();
        for (ManifestFile file : demanded) {
            files.add(path(file));
            stamps.add(VerifiedFiles.stamp(path(file)));
            Optional<List<Long>> blocks = checksums.of(file);
            if (blocks.isPresent() && !known.knows(path(file), file.sha256())) {
                byChecksums.add(file);
                expected.add(blocks.get());
            } else {
                byDigest.add(file);
            }
        }
        requireChecksums(byChecksums, expected);
        requireDigests(byDigest);
    }

    private Path path(ManifestFile file) {
        return directory.resolve(file.path());
    }

    private Checksums checksums(SnapshotManifest manifest) throws IOException {
        Optional<ManifestFile> file = manifest.file(Checksums.FILE_NAME);
        if (file.isEmpty() || file.get().sizeBytes() > Checksums.MAX_BYTES) {
            return Checksums.none();
        }
        try (var in = Files.newInputStream(path(file.get()))) {
            byte[] octets = in.readNBytes(Checksums.MAX_BYTES);
            if (!Sha256.hex(octets).equals(file.get().sha256())) {
                throw otherDigest(file.get());
            }
            return Checksums.read(octets);
        }
    }

    private void requireChecksums(List<ManifestFile> byChecksums, List<List<Long>> expected) throws IOException {
        List<List<Long>> found =
                BlockChecksums.of(byChecksums.stream().map(this::path).toList());
        for (int i = 0; i < found.size(); i++) {
            OptionalLong damaged = BlockChecksums.firstDifference(found.get(i), expected.get(i));
            if (damaged.isPresent()) {
                throw new SnapshotRefusedException(byChecksums.get(i).path() + ": damaged at octet "
                        + damaged.getAsLong() + " or in the 4 MiB that follow");
            }
        }
    }

    private void requireDigests(List<ManifestFile> byDigest) throws IOException {
        List<String> found = known.hex(byDigest.stream().map(this::path).toList());
        for (int i = 0; i < found.size(); i++) {
            if (!found.get(i).equals(byDigest.get(i).sha256())) {
                throw otherDigest(byDigest.get(i));
            }
        }
    }

    private static SnapshotRefusedException otherDigest(ManifestFile file) {
        return new SnapshotRefusedException(file.path() + ": SHA-256 is not what the manifest says");
    }

    /// Whatever was opened after [#require] is what was compared, when this returns.
    ///
    /// @throws IOException when another file took the place of one, or somebody wrote to one
    void requireUnchanged() throws IOException {
        for (int i = 0; i < files.size(); i++) {
            if (!VerifiedFiles.stamp(files.get(i)).equals(stamps.get(i))) {
                throw new IOException(directory.relativize(files.get(i)) + ": changed while the snapshot was opened");
            }
        }
    }
}
