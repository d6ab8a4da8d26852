package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;

/// The statement with the highest counter that this mirror has seen. It is stored in [PublishedState#FILE_NAME]
/// before anything it names is fetched: after a kill in between, no older statement is accepted. Used by one
/// thread at a time.
final class LastSeenState {
    private final Path snapshots;
    private final SnapshotReader reader;

    LastSeenState(Path snapshots, SnapshotReader reader) {
        this.snapshots = snapshots;
        this.reader = reader;
    }

    /// The statement seen last.
    ///
    /// @throws PublisherException if the file is unreadable: an operator has to check it, as an older statement
    ///     would be accepted without it
    Optional<PublishedState> readLast() throws IOException {
        Optional<byte[]> bytes = PublishedState.readBytes(snapshots);
        try {
            return bytes.isPresent() ? Optional.of(PublishedState.parse(bytes.get())) : Optional.empty();
        } catch (SnapshotRefusedException _) {
            throw new PublisherException(snapshots.resolve(PublishedState.FILE_NAME)
                    + ": cannot be read; delete it to accept any counter of the publisher");
        }
    }

    /// The ETag of the last statement; empty if there is none, or it would not be trusted now.
    Optional<String> readTag(Instant now) throws IOException {
        Optional<byte[]> bytes = PublishedState.readBytes(snapshots);
        try {
            if (bytes.isPresent()) {
                PublishedState _ = reader.verifyPublishedState(bytes.get(), now);
                return Optional.of("\"" + Sha256.hex(bytes.get()) + "\"");
            }
        } catch (SnapshotRefusedException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /// Stores a statement of the publisher.
    ///
    /// @throws SnapshotRefusedException if it cannot be trusted
    /// @throws PublisherException if it is older than the last one, or has expired
    PublishedState accept(byte[] bytes, Instant now) throws IOException {
        PublishedState statement = reader.verifyPublishedState(bytes, now);
        Optional<byte[]> storedBytes = PublishedState.readBytes(snapshots);
        if (storedBytes.isPresent() && Arrays.equals(storedBytes.get(), bytes)) {
            return statement;
        }
        Optional<PublishedState> last = readLast();
        if (last.isPresent()) {
            requireNewer(statement.counter(), last.get().counter());
        }
        requireFresh(statement.counter(), statement.expires(), now);
        Files.createDirectories(snapshots);
        DurableFiles.replace(snapshots.resolve(PublishedState.FILE_NAME), bytes);
        return statement;
    }

    static void requireFresh(long counter, Instant expires, Instant now) throws PublisherException {
        if (now.isAfter(expires)) {
            throw new PublisherException("frozen: counter " + counter + " has expired at " + expires
                    + ", and the publisher has made no newer statement");
        }
    }

    static void requireNewer(long counter, long lastSeen) throws PublisherException {
        if (counter < lastSeen) {
            throw new PublisherException(
                    "rolled back: the publisher is at counter " + counter + ", and was at " + lastSeen + " before");
        }
        if (counter == lastSeen) {
            throw new PublisherException("two statements: the publisher made another one with counter " + counter);
        }
    }
}
