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
    Optional<PublishedState> last() throws IOException {
        Optional<byte[]> bytes = PublishedState.bytes(snapshots);
        try {
            return bytes.isPresent() ? Optional.of(PublishedState.of(bytes.get())) : Optional.empty();
        } catch (SnapshotRefusedException damaged) {
            throw new PublisherException(snapshots.resolve(PublishedState.FILE_NAME)
                    + ": cannot be read; delete it to believe whatever counter the publisher has");
        }
    }

    /// The tag under which the publisher has the same bytes; empty when they would not be believed today.
    Optional<String> tag(Instant now) throws IOException {
        Optional<byte[]> bytes = PublishedState.bytes(snapshots);
        try {
            if (bytes.isPresent()) {
                PublishedState _ = reader.publishedState(bytes.get(), now);
                return Optional.of("\"" + Sha256.hex(bytes.get()) + "\"");
            }
        } catch (SnapshotRefusedException notBelieved) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /// Takes what the publisher says.
    ///
    /// @throws SnapshotRefusedException when it is not to be believed
    /// @throws PublisherException if it is older than the last one, or has expired
    PublishedState take(byte[] bytes, Instant now) throws IOException {
        PublishedState said = reader.publishedState(bytes, now);
        Optional<byte[]> known = PublishedState.bytes(snapshots);
        if (known.isPresent() && Arrays.equals(known.get(), bytes)) {
            return said;
        }
        Optional<PublishedState> last = last();
        if (last.isPresent()) {
            requireNewer(said.counter(), last.get().counter());
        }
        requireFresh(said.counter(), said.expires(), now);
        Files.createDirectories(snapshots);
        DurableFiles.replace(snapshots.resolve(PublishedState.FILE_NAME), bytes);
        return said;
    }

    static void requireFresh(long counter, Instant expires, Instant now) throws PublisherException {
        if (now.isAfter(expires)) {
            throw new PublisherException("frozen: counter " + counter + " has expired at " + expires
                    + ", and the publisher says nothing newer");
        }
    }

    static void requireNewer(long said, long lastSeen) throws PublisherException {
        if (said < lastSeen) {
            throw new PublisherException(
                    "rolled back: the publisher is at counter " + said + ", and was at " + lastSeen + " before");
        }
        if (said == lastSeen) {
            throw new PublisherException("two statements: counter " + said + " says something else than it did before");
        }
    }
}
