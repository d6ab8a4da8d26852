package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.Following;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SnapshotCopy;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows a publisher: fetches its current generations that this machine does not have, and points each layer
/// to the publisher's generation, also back. [org.bloomgate.lists.snapshot.LiveSnapshots] adopts them like
/// those of a rebuild.
///
/// Rounds run one at a time, on a thread of its own after [#start()] or on that of a caller of [#round()]. Any
/// thread may query the status.
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
    private final AtomicLong fetched = new AtomicLong();
    private final Map<String, String> verified = new HashMap<>();
    private final LastSeenState lastSeenState;
    private volatile Optional<PublishedState> publishedState;
    private volatile boolean closing;
    private volatile Optional<BackgroundTask> rounds = Optional.empty();
    private volatile Optional<Instant> answered = Optional.empty();

    /// @param snapshots root of the layers of this machine
    /// @param reader verifies every snapshot
    /// @param keepGenerations of each layer, for rollback, the newest included
    /// @throws IOException when the CA file cannot be used
    public Mirror(
            MirrorOptions options, Path snapshots, SnapshotReader reader, int keepGenerations, InstantSource clock)
            throws IOException {
        this(options, snapshots, reader, keepGenerations, clock, SnapshotFetch.Disks::real);
    }

    Mirror(
            MirrorOptions options,
            Path snapshots,
            SnapshotReader reader,
            int keepGenerations,
            InstantSource clock,
            SnapshotFetch.Disks disks)
            throws IOException {
        this.options = options;
        this.snapshots = snapshots;
        this.reader = reader;
        this.keepGenerations = keepGenerations;
        this.clock = clock;
        this.faults = faults(clock);
        this.publisher = new Publisher(options);
        this.fetch = new SnapshotFetch(publisher, reader, options.maxBytes(), disks);
        this.lastSeenState = new LastSeenState(snapshots, reader);
        this.publishedState = lastSeen();
    }

    static Conditions faults(InstantSource clock) {
        return new Conditions("mirror", "the data on this machine stays in use", clock);
    }

    /// An unreadable file is reported as a fault of each round.
    private Optional<PublishedState> lastSeen() throws IOException {
        try {
            return lastSeenState.last();
        } catch (PublisherException damaged) {
            return Optional.empty();
        }
    }

    /// Makes rounds from now on, the first at once.
    public void start() {
        rounds = Optional.of(BackgroundTask.start("mirror", this::run));
    }

    private void run() throws InterruptedException {
        int consecutiveFaults = 0;
        while (true) {
            consecutiveFaults = round() ? 0 : consecutiveFaults + 1;
            Thread.sleep(pause(consecutiveFaults));
        }
    }

    private Duration pause(int consecutiveFaults) {
        int factor = Math.min(MAX_PAUSE_INTERVALS, 1 << Math.clamp(consecutiveFaults - 1L, 0, 10));
        return Jitter.of(options.interval().multipliedBy(factor));
    }

    /// Fetches the statement and the generations that are missing.
    ///
    /// @return whether this machine has the current generations of the publisher; the faults are in [#status()]
    public synchronized boolean round() throws InterruptedException {
        boolean reached = fetchStatement();
        boolean all = isFresh() && reached;
        if (reached) {
            List<PublishedState.CurrentGeneration> layers =
                    publishedState.map(PublishedState::layers).orElse(List.of());
            faults.forgetAllBut(Stream.concat(
                            layers.stream().map(PublishedState.CurrentGeneration::layer),
                            Stream.of(PUBLISHER, FRESHNESS))
                    .collect(Collectors.toSet()));
            for (PublishedState.CurrentGeneration layer : layers) {
                all &= followed(layer);
            }
        }
        return all;
    }

    private boolean fetchStatement() throws InterruptedException {
        try {
            publishedState = lastSeenState.last();
            requestStatement();
            answered = Optional.of(clock.instant());
            faults.clear(PUBLISHER);
            return true;
        } catch (IOException | RuntimeException fault) {
            note(PUBLISHER, "", options.url() + ": " + describe(fault));
            return false;
        }
    }

    /// The generations of an expired statement stay in use: an old list is better than none.
    private boolean isFresh() {
        if (publishedState.isPresent() && publishedState.get().isExpired(clock.instant())) {
            note(
                    FRESHNESS,
                    "",
                    "frozen: the last statement of the publisher expired at "
                            + publishedState.get().expires());
            return false;
        }
        faults.clear(FRESHNESS);
        return true;
    }

    private void requestStatement() throws IOException, InterruptedException {
        Instant now = clock.instant();
        HttpRequest.Builder request = publisher.request(PublishedState.FILE_NAME);
        Optional<String> tag = lastSeenState.tag(now);
        tag.ifPresent(value -> request.header("If-None-Match", value));
        HttpResponse<byte[]> answer = publisher.small(request.build(), PublishedState.MAX_BYTES);
        switch (answer.statusCode()) {
            case 200 -> publishedState = Optional.of(lastSeenState.accept(answer.body(), now));
            case 304 -> {
                if (tag.isEmpty()) {
                    throw new PublisherException(
                            PublishedState.FILE_NAME + ": status 304 to a request without If-None-Match");
                }
            }
            case 404 ->
                throw new PublisherException(PublishedState.FILE_NAME + ": status 404: the publisher has made no"
                        + " statement of its current generations yet");
            default -> throw new PublisherException(PublishedState.FILE_NAME + ": status " + answer.statusCode());
        }
    }

    private boolean followed(PublishedState.CurrentGeneration one) throws InterruptedException {
        try {
            follow(one);
            faults.clear(one.layer());
            return true;
        } catch (IOException | RuntimeException fault) {
            note(one.layer(), one.generation(), describe(fault));
            return false;
        }
    }

    /// A failure because of shutdown is not a fault.
    private void note(String layer, String generation, String reason) {
        if (!closing) {
            faults.note(layer, generation, reason);
        }
    }

    private void follow(PublishedState.CurrentGeneration one) throws IOException, InterruptedException {
        LayerDirectory layer = new LayerDirectory(snapshots, one.layer());
        Optional<String> current = current(layer);
        boolean here = current.equals(Optional.of(one.generation())) && isHere(layer, one);
        if (here && one.generation().equals(verified.get(one.layer()))) {
            confirm(layer, one);
            return;
        }
        if (!pointToPresent(layer, one)) {
            try (SnapshotCopy copy = SnapshotCopy.begin(snapshots, one.layer(), one.generation())) {
                fetch.into(copy, one);
                copy.prune(keepGenerations, clock.instant());
            }
            fetched.incrementAndGet();
            LOG.info("mirror: {}/{} fetched", one.layer(), one.generation());
        }
        verified.put(one.layer(), one.generation());
        if (current.isPresent() && one.generation().compareTo(current.get()) < 0) {
            LOG.warn("mirror: the publisher went back to {}/{}", one.layer(), one.generation());
        }
        confirm(layer, one);
    }

    /// Whether the generation is here with the manifest that the statement names.
    private static boolean isHere(LayerDirectory layer, PublishedState.CurrentGeneration one) throws IOException {
        Path manifest = layer.resolveGeneration(one.generation()).resolve(SnapshotManifest.FILE_NAME);
        try {
            return one.matches(SnapshotReader.readManifestBytes(manifest));
        } catch (SnapshotRefusedException unreadable) {
            return false;
        }
    }

    /// Fetches the confirmation of a generation if the statement names a later one than the one here.
    private void confirm(LayerDirectory layer, PublishedState.CurrentGeneration one)
            throws IOException, InterruptedException {
        if (one.confirmedAt().isPresent() && !one.confirmedAt().equals(confirmed(layer, one.generation()))) {
            layer.confirm(one.generation(), reader, fetch.confirmation(one.generation()), clock.instant());
        }
    }

    /// Empty also when the confirmation here cannot be trusted: it is replaced.
    private Optional<Instant> confirmed(LayerDirectory layer, String generation) throws IOException {
        try {
            return reader.readConfirmedAt(layer, generation, clock.instant());
        } catch (SnapshotRefusedException damaged) {
            return Optional.empty();
        }
    }

    /// Empty also when the pointer is unreadable: it is written again.
    private static Optional<String> current(LayerDirectory layer) throws IOException {
        try {
            return layer.readCurrent();
        } catch (SnapshotRefusedException unreadable) {
            return Optional.empty();
        }
    }

    /// Points the layer to the generation if it is here, verifies, and has the files that this machine needs.
    private boolean pointToPresent(LayerDirectory layer, PublishedState.CurrentGeneration one) throws IOException {
        String generation = one.generation();
        if (!layer.listGenerations().contains(generation) || !isHere(layer, one)) {
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

    static String describe(Exception fault) {
        boolean named = fault instanceof PublisherException
                || fault instanceof SnapshotRefusedException
                || fault.getClass() == IOException.class;
        return named ? String.valueOf(fault.getMessage()) : fault.toString();
    }

    public Status status() {
        Optional<PublishedState> now = publishedState;
        boolean expired = now.isPresent() && now.get().isExpired(clock.instant());
        return new Status(
                new Following(
                        answered,
                        now.map(PublishedState::counter),
                        now.map(PublishedState::expires),
                        expired,
                        !expired || options.onExpired() == MirrorOptions.OnExpired.ALARM),
                faults.list(),
                faults.countNotes(),
                fetched.get());
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
