package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lists.mirror.PublishedStateJson.PublishedGeneration;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;

/// The publisher's current generation of one layer.
///
/// @param manifestSha256 digest of the only valid manifest; empty for a publisher that states only names
record PublishedLayer(String layer, String generation, Optional<Instant> confirmedAt, Optional<String> manifestSha256) {

    static PublishedLayer of(PublishedState.Current current) {
        return new PublishedLayer(
                current.layer(), current.generation(), current.confirmedAt(), Optional.of(current.manifestSha256()));
    }

    static PublishedLayer of(PublishedGeneration announcement) {
        return new PublishedLayer(
                announcement.layer(), announcement.generation(), announcement.confirmedAt(), Optional.empty());
    }

    /// @throws PublisherException when these are the bytes of another manifest
    void require(byte[] manifest) throws PublisherException {
        if (manifestSha256.isPresent() && !manifestSha256.get().equals(Sha256.hex(manifest))) {
            throw new PublisherException(
                    SnapshotManifest.FILE_NAME + ": does not match the digest in the publisher's statement");
        }
    }

    /// Whether the manifest below a folder is the one.
    boolean isIn(Path directory) throws IOException {
        try {
            require(SnapshotReader.manifestBytes(directory.resolve(SnapshotManifest.FILE_NAME)));
            return true;
        } catch (PublisherException | SnapshotRefusedException another) {
            return false;
        }
    }
}
