package org.bloomgate.lists.mirror;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.SharedLines;
import org.bloomgate.lookup.tier.Entry;

/// The last seen entries of the publisher's operators, and those of them that this mirror accepts. They are
/// stored in [SharedEntries#FILE_NAME] before they apply: after a kill in between, no older ones are accepted.
/// Used by one thread at a time.
///
/// A holder of only the online key can publish that there are no entries, and list at most [#MAX_UNVOUCHED]
/// values that no gate holds. Only a holder of a key for manifests can publish exceptions, and none can restore
/// removed entries: the highest vouched revision is stored too.
public final class PublisherEntries {
    /// The most entries that are accepted without a voucher by a trusted key.
    static final int MAX_UNVOUCHED = 1000;

    static final String VOUCHED_FILE = SharedEntries.FILE_NAME + ".vouched";

    private static final int MAX_NAMED = 5;
    private static final Pattern REVISION = Pattern.compile("([1-9][0-9]{0,17}) ([0-9a-f]{64})\n");

    private final Path snapshots;
    private final SnapshotReader reader;
    private final boolean exceptions;
    private final GatesSource gates;
    private final InstantSource clock;

    /// @param snapshots root of the layers of this machine
    /// @param reader verifies statements
    /// @param exceptions whether exceptions are accepted
    /// @param gates for unvouched listings, loaded when such listings arrive
    public PublisherEntries(
            Path snapshots, SnapshotReader reader, boolean exceptions, GatesSource gates, InstantSource clock) {
        this.snapshots = snapshots;
        this.reader = reader;
        this.exceptions = exceptions;
        this.gates = gates;
        this.clock = clock;
    }

    /// Loads the gates of this machine for entries of feeds.
    @FunctionalInterface
    public interface GatesSource {
        ListingGates load() throws IOException;
    }

    /// The accepted content of a statement.
    ///
    /// @param entries the accepted entries
    /// @param firstLeftOut the first entries that a gate or a missing voucher excluded, each with the reason
    /// @param leftOut the number of excluded entries
    public record AcceptedEntries(
            long counter,
            Instant expires,
            boolean vouched,
            LocalEntries entries,
            List<String> firstLeftOut,
            int leftOut) {
        public AcceptedEntries {
            firstLeftOut = List.copyOf(firstLeftOut);
        }
    }

    /// The entries of the stored statement; empty if there is none.
    ///
    /// @throws IOException if the file is unreadable: an operator has to check it, as an older statement would
    ///     be accepted without it
    public Optional<AcceptedEntries> readStored() throws IOException {
        Optional<SharedEntries> last = readLast();
        return last.isPresent() ? Optional.of(selectAccepted(last.get())) : Optional.empty();
    }

    private Optional<SharedEntries> readLast() throws IOException {
        Optional<byte[]> bytes = SharedEntries.readBytes(snapshots);
        try {
            return bytes.isPresent() ? Optional.of(reader.parseVerifiedEntries(bytes.get())) : Optional.empty();
        } catch (SnapshotRefusedException _) {
            throw createUnreadableException(SharedEntries.FILE_NAME);
        }
    }

    private PublisherException createUnreadableException(String name) {
        return new PublisherException(
                snapshots.resolve(name) + ": cannot be read; delete it to accept any counter of the publisher");
    }

    /// Stores a statement of the publisher and returns its accepted entries.
    ///
    /// @throws SnapshotRefusedException if it cannot be trusted
    /// @throws IOException if it is older than the last one, has expired, or cannot be stored
    AcceptedEntries accept(byte[] bytes) throws IOException {
        Instant now = clock.instant();
        SharedEntries statement = reader.verifySharedEntries(bytes, now);
        Optional<byte[]> storedBytes = SharedEntries.readBytes(snapshots);
        if (storedBytes.isPresent() && Arrays.equals(storedBytes.get(), bytes)) {
            return selectAccepted(statement);
        }
        Optional<SharedEntries> last = readLast();
        if (last.isPresent()) {
            LastSeenState.requireNewer(statement.counter(), last.get().counter());
        }
        LastSeenState.requireFresh(statement.counter(), statement.expires(), now);
        AcceptedEntries acceptedEntries = selectAccepted(statement);
        Files.createDirectories(snapshots);
        if (statement.vouched()) {
            storeRevision(statement);
        }
        DurableFiles.replace(snapshots.resolve(SharedEntries.FILE_NAME), bytes);
        return acceptedEntries;
    }

    private void storeRevision(SharedEntries statement) throws IOException {
        String line = statement.revision() + " " + statement.sha256() + "\n";
        Path file = snapshots.resolve(VOUCHED_FILE);
        Optional<String> storedRevision = readStoredRevision(file);
        if (storedRevision.equals(Optional.of(line))) {
            return;
        }
        if (storedRevision.isPresent()) {
            LastSeenState.requireNewer(statement.revision(), parseRevision(storedRevision.get()));
        }
        DurableFiles.replace(file, line.getBytes(US_ASCII));
    }

    private static Optional<String> readStoredRevision(Path file) throws IOException {
        try (var in = StateFile.stream(file)) {
            return Optional.of(new String(in.readNBytes(100), US_ASCII));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private long parseRevision(String line) throws PublisherException {
        Matcher matcher = REVISION.matcher(line);
        if (!matcher.matches()) {
            throw createUnreadableException(VOUCHED_FILE);
        }
        return Long.parseLong(matcher.group(1));
    }

    private AcceptedEntries selectAccepted(SharedEntries statement) throws IOException {
        SharedLines lines = SharedLines.read(statement.entries(), clock.instant());
        List<Entry> accepted = new ArrayList<>();
        List<String> firstLeftOut = new ArrayList<>(lines.firstErrors());
        int leftOut = lines.leftOut();
        UnvouchedCheck check = new UnvouchedCheck(statement.vouched());
        for (Entry entry : lines.entries().all()) {
            if (entry.type() == Entry.Type.EXCEPTION && !exceptions) {
                continue;
            }
            Optional<String> objection = check.findObjection(entry, accepted.size());
            if (objection.isEmpty()) {
                accepted.add(entry);
            } else {
                leftOut++;
                if (firstLeftOut.size() < MAX_NAMED) {
                    firstLeftOut.add(entry.type().label() + " of " + toDisplayText(entry) + ": " + objection.get());
                }
            }
        }
        return new AcceptedEntries(
                statement.counter(),
                statement.expires(),
                statement.vouched(),
                new LocalEntries(accepted),
                firstLeftOut,
                leftOut);
    }

    private static String toDisplayText(Entry entry) {
        return entry.key().kind().rules().mask(entry.key().text());
    }

    /// The checks of entries that only the online key has signed.
    private final class UnvouchedCheck {
        private final boolean vouched;
        private Optional<ListingGates> loadedGates = Optional.empty();

        UnvouchedCheck(boolean vouched) {
            this.vouched = vouched;
        }

        /// @param acceptedCount number of entries so far
        Optional<String> findObjection(Entry entry, int acceptedCount) throws IOException {
            if (vouched) {
                return Optional.empty();
            }
            if (acceptedCount == MAX_UNVOUCHED) {
                return Optional.of("more than " + MAX_UNVOUCHED + " entries that no key for manifests vouches for");
            }
            if (entry.type() == Entry.Type.EXCEPTION) {
                return reader.requiresSignatures()
                        ? Optional.of("no key for manifests vouches for it")
                        : Optional.empty();
            }
            if (loadedGates.isEmpty()) {
                loadedGates = Optional.of(gates.load());
            }
            return loadedGates.get().objections(entry).stream().findFirst();
        }
    }
}
