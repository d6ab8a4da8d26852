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
import org.bloomgate.lookup.local.Entry;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.SharedLines;

/// The last seen entries of the publisher's operators, and those of them that this mirror accepts. They are
/// stored in [SharedEntries#FILE_NAME] before they apply: after a kill in between, no older ones are accepted.
/// Used by one thread at a time.
///
/// A holder of only the online key can publish that there are no entries, and list at most [#MAX_UNVOUCHED]
/// values that no gate holds. Only a holder of a key for manifests can publish exceptions, and none can restore
/// removed entries: the highest vouched revision is stored too.
public final class PublisherEntries {
    /// Entries taken without a voucher by a trusted key.
    static final int MAX_UNVOUCHED = 1000;

    static final String VOUCHED_FILE = SharedEntries.FILE_NAME + ".vouched";

    private static final int MAX_NAMED = 5;
    private static final Pattern REVISION = Pattern.compile("([1-9][0-9]{0,17}) ([0-9a-f]{64})\n");

    private final Path snapshots;
    private final SnapshotReader reader;
    private final boolean exceptions;
    private final PublishChecks gates;
    private final InstantSource clock;

    /// @param snapshots root of the layers of this machine
    /// @param reader what statements must stand up to
    /// @param exceptions whether they are taken
    /// @param gates for unvouched listings, as they are when such listings arrive
    public PublisherEntries(
            Path snapshots, SnapshotReader reader, boolean exceptions, PublishChecks gates, InstantSource clock) {
        this.snapshots = snapshots;
        this.reader = reader;
        this.exceptions = exceptions;
        this.gates = gates;
        this.clock = clock;
    }

    /// The gates of this machine for entries of feeds.
    @FunctionalInterface
    public interface PublishChecks {
        ListingGates now() throws IOException;
    }

    /// The accepted content of a statement.
    ///
    /// @param entries that are taken
    /// @param left those that should have been and are not, the first of them, with the reason
    /// @param leftOut how many there are
    public record Taken(
            long counter, Instant expires, boolean vouched, LocalEntries entries, List<String> left, int leftOut) {
        public Taken {
            left = List.copyOf(left);
        }
    }

    /// The content seen last.
    ///
    /// @throws IOException if the file is unreadable: an operator has to check it, as an older statement would
    ///     be accepted without it
    public Optional<Taken> kept() throws IOException {
        Optional<SharedEntries> last = last();
        return last.isPresent() ? Optional.of(taken(last.get())) : Optional.empty();
    }

    private Optional<SharedEntries> last() throws IOException {
        Optional<byte[]> bytes = SharedEntries.bytes(snapshots);
        try {
            return bytes.isPresent() ? Optional.of(reader.sharedBefore(bytes.get())) : Optional.empty();
        } catch (SnapshotRefusedException damaged) {
            throw unreadable(SharedEntries.FILE_NAME);
        }
    }

    private PublisherException unreadable(String name) {
        return new PublisherException(
                snapshots.resolve(name) + ": cannot be read; delete it to believe whatever counter the publisher has");
    }

    /// Takes what the publisher says.
    ///
    /// @throws SnapshotRefusedException when it is not to be believed
    /// @throws IOException if it is older than the last one, has expired, or cannot be stored
    Taken take(byte[] bytes) throws IOException {
        Instant now = clock.instant();
        SharedEntries said = reader.shared(bytes, now);
        Optional<byte[]> known = SharedEntries.bytes(snapshots);
        if (known.isPresent() && Arrays.equals(known.get(), bytes)) {
            return taken(said);
        }
        Optional<SharedEntries> last = last();
        if (last.isPresent()) {
            LastSeenState.requireNewer(said.counter(), last.get().counter());
        }
        LastSeenState.requireFresh(said.counter(), said.expires(), now);
        Taken taken = taken(said);
        Files.createDirectories(snapshots);
        if (said.vouched()) {
            keepRevision(said);
        }
        DurableFiles.replace(snapshots.resolve(SharedEntries.FILE_NAME), bytes);
        return taken;
    }

    private void keepRevision(SharedEntries said) throws IOException {
        String line = said.revision() + " " + said.sha256() + "\n";
        Path file = snapshots.resolve(VOUCHED_FILE);
        Optional<String> before = vouched(file);
        if (before.equals(Optional.of(line))) {
            return;
        }
        if (before.isPresent()) {
            LastSeenState.requireNewer(said.revision(), revision(before.get()));
        }
        DurableFiles.replace(file, line.getBytes(US_ASCII));
    }

    private static Optional<String> vouched(Path file) throws IOException {
        try (var in = StateFile.stream(file)) {
            return Optional.of(new String(in.readNBytes(100), US_ASCII));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    private long revision(String line) throws PublisherException {
        Matcher matcher = REVISION.matcher(line);
        if (!matcher.matches()) {
            throw unreadable(VOUCHED_FILE);
        }
        return Long.parseLong(matcher.group(1));
    }

    private Taken taken(SharedEntries said) throws IOException {
        SharedLines lines = SharedLines.read(said.entries(), clock.instant());
        List<Entry> all = new ArrayList<>();
        List<String> left = new ArrayList<>(lines.left());
        int leftOut = lines.leftOut();
        UnvouchedCheck weighing = new UnvouchedCheck(said.vouched());
        for (Entry entry : lines.entries().all()) {
            if (entry.type() == Entry.Type.EXCEPTION && !exceptions) {
                continue;
            }
            Optional<String> objection = weighing.objection(entry, all.size());
            if (objection.isEmpty()) {
                all.add(entry);
            } else {
                leftOut++;
                if (left.size() < MAX_NAMED) {
                    left.add(entry.type().label() + " of " + shown(entry) + ": " + objection.get());
                }
            }
        }
        return new Taken(said.counter(), said.expires(), said.vouched(), new LocalEntries(all), left, leftOut);
    }

    private static String shown(Entry entry) {
        return entry.key().kind().rules().shown(entry.key().text());
    }

    /// The checks of entries that only the online key has signed.
    private final class UnvouchedCheck {
        private final boolean vouched;
        private Optional<ListingGates> queried = Optional.empty();

        UnvouchedCheck(boolean vouched) {
            this.vouched = vouched;
        }

        /// @param taken number of entries so far
        Optional<String> objection(Entry entry, int taken) throws IOException {
            if (vouched) {
                return Optional.empty();
            }
            if (taken == MAX_UNVOUCHED) {
                return Optional.of("more than " + MAX_UNVOUCHED + " entries that no key for manifests vouches for");
            }
            if (entry.type() == Entry.Type.EXCEPTION) {
                return reader.demandsSignatures()
                        ? Optional.of("no key for manifests vouches for it")
                        : Optional.empty();
            }
            if (queried.isEmpty()) {
                queried = Optional.of(gates.now());
            }
            return queried.get().objections(entry).stream().findFirst();
        }
    }
}
