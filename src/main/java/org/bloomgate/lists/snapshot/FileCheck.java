package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.base.io.VerifiedFiles;

/// Compares files of a snapshot with its manifest, reading each at most once, and later checks whether they are
/// unchanged. Not thread-safe.
final class FileCheck {
    private final Path directory;
    private final VerifiedFiles digests;
    private final List<Path> files = new ArrayList<>();
    private final List<VerifiedFiles.Stamp> stamps = new ArrayList<>();

    /// @param digests of files that need not be hashed again
    FileCheck(Path directory, VerifiedFiles digests) {
        this.directory = directory;
        this.digests = digests;
    }

    /// @param manifestFiles whose sizes were compared
    /// @throws SnapshotRefusedException if a file has another digest
    void require(List<ManifestFile> manifestFiles) throws IOException {
        for (ManifestFile file : manifestFiles) {
            files.add(resolve(file));
            stamps.add(VerifiedFiles.readStamp(resolve(file)));
        }
        List<String> actualDigests = digests.hex(files);
        for (int i = 0; i < actualDigests.size(); i++) {
            if (!actualDigests.get(i).equals(manifestFiles.get(i).sha256())) {
                throw new SnapshotRefusedException(
                        manifestFiles.get(i).path() + ": SHA-256 is not what the manifest says");
            }
        }
    }

    private Path resolve(ManifestFile file) {
        return directory.resolve(file.path());
    }

    /// Proves that the files which were opened after [#require] are the verified ones.
    ///
    /// @throws IOException if a file was replaced or written to
    void requireUnchanged() throws IOException {
        for (int i = 0; i < files.size(); i++) {
            if (!VerifiedFiles.readStamp(files.get(i)).equals(stamps.get(i))) {
                throw new IOException(directory.relativize(files.get(i)) + ": changed while the snapshot was opened");
            }
        }
    }
}
