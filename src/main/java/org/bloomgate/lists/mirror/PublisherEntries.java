package org.bloomgate.lists.mirror;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.Statement;
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

    private final LastSeenStatement<SharedEntries> lastSeen;
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
        this.lastSeen = new LastSeenStatement<>(snapshots, reader, SharedEntries.FORM);
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
    /// @param tag of the statement
    /// @param entries the accepted entries
    /// @param firstLeftOut the first entries that a gate or a missing voucher excluded, each with the reason
    /// @param leftOut the number of excluded entries
    public record AcceptedEntries(
            long counter, Instant expires, String tag, LocalEntries entries, List<String> firstLeftOut, int leftOut) {
        public AcceptedEntries {
            firstLeftOut = List.copyOf(firstLeftOut);
        }
    }

    /// The entries of the stored statement; empty if there is none.
    ///
    /// @throws IOException if the file is unreadable: an operator has to check it, as an older statement would
    ///     be accepted without it
    public Optional<AcceptedEntries> readStored() throws IOException {
        Optional<Statement<SharedEntries>> last = lastSeen.readLast();
        return last.isPresent() ? Optional.of(selectAccepted(last.get())) : Optional.empty();
    }

    /// Requests the statement of the publisher, stores it if it is new, and returns its accepted entries.
    ///
    /// @param tagInUse tag of the statement whose entries apply
    /// @return empty if the publisher still has that statement, or has never made one
    /// @throws IOException as of [LastSeenStatement#fetch]
    Optional<AcceptedEntries> fetch(Publisher publisher, Optional<String> tagInUse)
            throws IOException, InterruptedException {
        return lastSeen.fetch(publisher, tagInUse, this::receive, clock.instant());
    }

    private AcceptedEntries receive(Statement<SharedEntries> statement) throws IOException {
        AcceptedEntries acceptedEntries = selectAccepted(statement);
        if (reader.isVouched(statement.content())) {
            storeRevision(statement.content());
        }
        return acceptedEntries;
    }

    private void storeRevision(SharedEntries entries) throws IOException {
        String line = entries.revision() + " " + entries.sha256() + "\n";
        Path file = lastSeen.snapshots().resolve(VOUCHED_FILE);
        Optional<String> storedRevision = readStoredRevision(file);
        if (storedRevision.equals(Optional.of(line))) {
            return;
        }
        if (storedRevision.isPresent()) {
            LastSeenStatement.requireNewer(entries.revision(), parseRevision(storedRevision.get()));
        }
        Files.createDirectories(lastSeen.snapshots());
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
            throw lastSeen.createUnreadableException(VOUCHED_FILE);
        }
        return Long.parseLong(matcher.group(1));
    }

    private AcceptedEntries selectAccepted(Statement<SharedEntries> statement) throws IOException {
        SharedLines lines = SharedLines.read(statement.body(), clock.instant());
        List<Entry> accepted = new ArrayList<>();
        List<String> firstLeftOut = new ArrayList<>(lines.firstErrors());
        int leftOut = lines.leftOut();
        UnvouchedCheck check = new UnvouchedCheck(reader.isVouched(statement.content()));
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
                statement.tag(),
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
