package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.concurrent.Jitter;
import org.bloomgate.base.io.DiskSpace;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.Following;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SnapshotCopy;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lists.snapshot.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows a publisher: fetches its current generations that this machine does not have, and points each layer
/// to the publisher's generation, also back. [org.bloomgate.lists.snapshot.LiveSnapshots] adopts them like
/// those of a rebuild.
///
/// Rounds run one at a time, on a thread of its own after [#start()] or on that of a caller of [#runRound()].
/// Any thread may query the status.
public final class Mirror implements AutoCloseable {
    /// The name, instead of a layer, for faults of the publisher as a whole.
    public static final String PUBLISHER = "publisher";

    /// The name, instead of a layer, for a publisher that has published nothing for too long.
    public static final String FRESHNESS = "freshness";

    private static final Logger LOG = LoggerFactory.getLogger(Mirror.class);

    /// After faults in a row the pause doubles, up to this many intervals: a file of gigabytes that does not
    /// verify is not to be fetched every minute.
    private static final int MAX_PAUSE_INTERVALS = 16;

    private final MirrorOptions options;
    private final Path snapshots;
    private final SnapshotReader reader;
    private final int keepGenerations;
    private final InstantSource clock;
    private final Publisher publisher;
    private final SnapshotFetch fetch;
    private final Conditions faults;
    private final AtomicLong fetchedTotal = new AtomicLong();
    private final Map<String, String> verifiedGenerations = new HashMap<>();
    private final LastSeenStatement<PublishedState> lastSeen;
    private volatile Optional<Statement<PublishedState>> statement;
    private volatile boolean closing;
    private volatile Optional<BackgroundTask> rounds = Optional.empty();
    private volatile Optional<Instant> lastAnswerAt = Optional.empty();

    /// @param snapshots root of the layers of this machine
    /// @param reader verifies every snapshot
    /// @param keepGenerations of each layer, for rollback, the newest included
    /// @throws IOException when the CA file cannot be used
    public Mirror(
            MirrorOptions options, Path snapshots, SnapshotReader reader, int keepGenerations, InstantSource clock)
            throws IOException {
        this(options, snapshots, reader, keepGenerations, clock, DiskSpace::measure);
    }

    Mirror(
            MirrorOptions options,
            Path snapshots,
            SnapshotReader reader,
            int keepGenerations,
            InstantSource clock,
            DiskSpace.Meter disks)
            throws IOException {
        this.options = options;
        this.snapshots = snapshots;
        this.reader = reader;
        this.keepGenerations = keepGenerations;
        this.clock = clock;
        this.faults = new Conditions("mirror", clock);
        this.publisher = new Publisher(options);
        this.fetch = new SnapshotFetch(publisher, reader, options.maxBytes(), disks);
        this.lastSeen = new LastSeenStatement<>(snapshots, reader, PublishedState.FORM);
        this.statement = readLastSeen();
    }

    /// An unreadable file is reported as a fault of each round.
    private Optional<Statement<PublishedState>> readLastSeen() throws IOException {
        try {
            return lastSeen.readLast();
        } catch (PublisherException _) {
            return Optional.empty();
        }
    }

    /// Makes rounds from now on, the first at once.
    public void start() {
        rounds = Optional.of(BackgroundTask.keepRunning("mirror", this::run));
    }

    private void run() throws InterruptedException {
        int consecutiveFaults = 0;
        while (true) {
            consecutiveFaults = runRound() ? 0 : consecutiveFaults + 1;
            Thread.sleep(computePause(consecutiveFaults));
        }
    }

    private Duration computePause(int consecutiveFaults) {
        int factor = Math.min(MAX_PAUSE_INTERVALS, 1 << Math.clamp(consecutiveFaults - 1L, 0, 10));
        return Jitter.vary(options.interval().multipliedBy(factor));
    }

    /// Fetches the statement and the generations that are missing.
    ///
    /// @return whether this machine has the current generations of the publisher; the faults are in
    ///     [#readStatus()]
    public synchronized boolean runRound() throws InterruptedException {
        boolean reached = fetchStatement();
        boolean isComplete = isFresh() && reached;
        if (reached) {
            List<PublishedState.CurrentGeneration> layers =
                    statement.map(last -> last.content().layers()).orElse(List.of());
            faults.forgetAllBut(Stream.concat(
                            layers.stream().map(PublishedState.CurrentGeneration::layer),
                            Stream.of(PUBLISHER, FRESHNESS))
                    .collect(Collectors.toSet()));
            for (PublishedState.CurrentGeneration layer : layers) {
                isComplete &= tryFollow(layer);
            }
        }
        return isComplete;
    }

    private boolean fetchStatement() throws InterruptedException {
        try {
            statement = lastSeen.readLast();
            Instant now = clock.instant();
            Optional<Statement<PublishedState>> next =
                    lastSeen.fetch(publisher, statement.map(Statement::tag), received -> received, now);
            if (next.isPresent()) {
                statement = next;
            } else if (statement.isEmpty()) {
                throw new PublisherException(PublishedState.FILE_NAME
                        + ": status 404: the publisher has made no statement of its current generations yet");
            }
            lastAnswerAt = Optional.of(clock.instant());
            faults.clear(PUBLISHER);
            return true;
        } catch (IOException | RuntimeException fault) {
            note(PUBLISHER, "", options.url() + ": " + describe(fault));
            return false;
        }
    }

    /// The generations of an expired statement stay in use: an old list is better than none.
    private boolean isFresh() {
        if (statement.isPresent() && statement.get().isExpired(clock.instant())) {
            note(
                    FRESHNESS,
                    "",
                    "frozen: the last statement of the publisher expired at "
                            + statement.get().expires());
            return false;
        }
        faults.clear(FRESHNESS);
        return true;
    }

    private boolean tryFollow(PublishedState.CurrentGeneration published) throws InterruptedException {
        try {
            follow(published);
            faults.clear(published.layer());
            return true;
        } catch (IOException | RuntimeException | InternalError fault) {
            // an InternalError is a page of a mapped file that the disk cannot read
            note(published.layer(), published.generation(), describe(fault));
            return false;
        }
    }

    /// A failure because of shutdown is not a fault.
    private void note(String layer, String generation, String reason) {
        if (!closing) {
            faults.noteLayer(layer, generation, reason);
        }
    }

    private void follow(PublishedState.CurrentGeneration published) throws IOException, InterruptedException {
        LayerDirectory layer = new LayerDirectory(snapshots, published.layer());
        Optional<String> current = readCurrent(layer);
        boolean isHere = current.equals(Optional.of(published.generation())) && isHere(layer, published);
        if (isHere && published.generation().equals(verifiedGenerations.get(published.layer()))) {
            confirm(layer, published);
            return;
        }
        if (!pointToPresent(layer, published)) {
            try (SnapshotCopy copy = SnapshotCopy.begin(snapshots, published.layer(), published.generation())) {
                fetch.fetchInto(copy, published);
                copy.prune(keepGenerations, clock.instant());
            }
            fetchedTotal.incrementAndGet();
            LOG.info("mirror: {}/{} fetched", published.layer(), published.generation());
        }
        verifiedGenerations.put(published.layer(), published.generation());
        if (current.isPresent() && published.generation().compareTo(current.get()) < 0) {
            LOG.warn("mirror: the publisher went back to {}/{}", published.layer(), published.generation());
        }
        confirm(layer, published);
    }

    /// Whether the generation is here with the manifest that the statement names.
    private static boolean isHere(LayerDirectory layer, PublishedState.CurrentGeneration published) throws IOException {
        Path manifest = layer.resolveGeneration(published.generation()).resolve(SnapshotManifest.FILE_NAME);
        try {
            return published.matches(SnapshotReader.readManifestBytes(manifest));
        } catch (SnapshotRefusedException _) {
            return false;
        }
    }

    /// Fetches the confirmation of a generation if the statement names a later one than the one here.
    private void confirm(LayerDirectory layer, PublishedState.CurrentGeneration published)
            throws IOException, InterruptedException {
        if (published.confirmedAt().isPresent()
                && !published.confirmedAt().equals(readConfirmedAt(layer, published.generation()))) {
            layer.confirm(
                    published.generation(), reader, fetch.fetchConfirmation(published.generation()), clock.instant());
        }
    }

    /// Empty also when the confirmation here cannot be trusted: it is replaced.
    private Optional<Instant> readConfirmedAt(LayerDirectory layer, String generation) throws IOException {
        try {
            return reader.readConfirmedAt(layer, generation, clock.instant());
        } catch (SnapshotRefusedException _) {
            return Optional.empty();
        }
    }

    /// Empty also when the pointer is unreadable: it is written again.
    private static Optional<String> readCurrent(LayerDirectory layer) throws IOException {
        try {
            return layer.readCurrent();
        } catch (SnapshotRefusedException _) {
            return Optional.empty();
        }
    }

    /// Points the layer to the generation if it is here, verifies, and has the files that this machine needs.
    private boolean pointToPresent(LayerDirectory layer, PublishedState.CurrentGeneration published)
            throws IOException {
        String generation = published.generation();
        if (!layer.listGenerations().contains(generation) || !isHere(layer, published)) {
            return false;
        }
        try {
            String _ = layer.rollback(Optional.of(generation), reader, Optional.empty());
            return true;
        } catch (SnapshotRefusedException damaged) {
            LOG.debug("mirror: {}/{} is fetched again", layer.name(), generation, damaged);
            return false;
        }
    }

    static String describe(Throwable fault) {
        boolean hasReason = fault instanceof PublisherException
                || fault instanceof SnapshotRefusedException
                || fault.getClass() == IOException.class;
        return hasReason ? String.valueOf(fault.getMessage()) : fault.toString();
    }

    public Status readStatus() {
        Optional<Statement<PublishedState>> last = statement;
        boolean expired = last.isPresent() && last.get().isExpired(clock.instant());
        return new Status(
                new Following(
                        lastAnswerAt,
                        last.map(Statement::counter),
                        last.map(Statement::expires),
                        expired,
                        !expired || options.onExpired() == MirrorOptions.OnExpired.ALARM),
                faults.list(),
                faults.countNotes(),
                fetchedTotal.get());
    }

    /// Aborts a round in progress; the files it has fetched stay.
    @Override
    public void close() {
        closing = true;
        rounds.ifPresent(BackgroundTask::close);
        publisher.close();
    }

    /// How far this machine follows its publisher.
    ///
    /// @param faults current ones, by layer; those of the publisher as a whole under [Mirror#PUBLISHER] and
    ///     [Mirror#FRESHNESS]
    /// @param faultsTotal number of rounds with a fault, since start
    /// @param fetchedTotal number of fetched snapshots, since start
    public record Status(Following following, List<Condition> faults, long faultsTotal, long fetchedTotal) {
        public Status {
            faults = List.copyOf(faults);
        }
    }
}
