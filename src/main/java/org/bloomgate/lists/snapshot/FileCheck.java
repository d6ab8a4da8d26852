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
    private final VerifiedFiles known;
    private final List<Path> files = new ArrayList<>();
    private final List<VerifiedFiles.Stamp> stamps = new ArrayList<>();

    /// @param known digests of files that need not be hashed again
    FileCheck(Path directory, VerifiedFiles known) {
        this.directory = directory;
        this.known = known;
    }

    /// @param required files of the manifest, whose sizes were compared
    /// @throws SnapshotRefusedException if a file has another digest
    void require(List<ManifestFile> required) throws IOException {
        for (ManifestFile file : required) {
            files.add(path(file));
            stamps.add(VerifiedFiles.stamp(path(file)));
        }
        List<String> digests = known.hex(files);
        for (int i = 0; i < digests.size(); i++) {
            if (!digests.get(i).equals(required.get(i).sha256())) {
                throw new SnapshotRefusedException(required.get(i).path() + ": SHA-256 is not what the manifest says");
            }
        }
    }

    private Path path(ManifestFile file) {
        return directory.resolve(file.path());
    }

    /// Proves that the files which were opened after [#require] are the verified ones.
    ///
    /// @throws IOException if a file was replaced or written to
    void requireUnchanged() throws IOException {
        for (int i = 0; i < files.size(); i++) {
            if (!VerifiedFiles.stamp(files.get(i)).equals(stamps.get(i))) {
                throw new IOException(directory.relativize(files.get(i)) + ": changed while the snapshot was opened");
            }
        }
    }
}
