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

    /// @param known digests need not be taken again
    FileCheck(Path directory, VerifiedFiles known) {
        this.directory = directory;
        this.known = known;
    }

    /// @param demanded of the manifest's files, whose sizes were compared
    /// @throws SnapshotRefusedException when one is not as it must be
    void require(List<ManifestFile> demanded) throws IOException {
        for (ManifestFile file : demanded) {
            files.add(path(file));
            stamps.add(VerifiedFiles.stamp(path(file)));
        }
        List<String> found = known.hex(files);
        for (int i = 0; i < found.size(); i++) {
            if (!found.get(i).equals(demanded.get(i).sha256())) {
                throw new SnapshotRefusedException(demanded.get(i).path() + ": SHA-256 is not what the manifest says");
            }
        }
    }

    private Path path(ManifestFile file) {
        return directory.resolve(file.path());
    }

    /// Whatever was opened after [#require] is what was compared, when this returns.
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
