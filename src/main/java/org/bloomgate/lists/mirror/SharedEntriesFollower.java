package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.concurrent.Jitter;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.tier.Entry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fetches the listings and exceptions of a publisher's operators. It sends a request every few seconds on its
/// own thread, so that a listing does not wait for a snapshot in transfer; the last seen entries stay in use
/// whatever happens.
///
/// Rounds run one at a time, on that thread or on that of a caller of [#runRound()]. Any thread may query the
/// status.
public final class SharedEntriesFollower implements AutoCloseable {
    /// The name, instead of a layer, for faults.
    public static final String LISTINGS = "listings";

    /// The name for the fault that single entries were not accepted.
    public static final String LEFT_OUT = "listings left out";

    /// The longest time between two requests, most of which are answered with status 304.
    private static final Duration MAX_INTERVAL = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(SharedEntriesFollower.class);

    private final MirrorOptions options;
    private final PublisherEntries publisherEntries;
    private final Consumer<LocalEntries> listener;
    private final InstantSource clock;
    private final Publisher publisher;
    private final Conditions faults;
    private volatile Optional<PublisherEntries.AcceptedEntries> accepted = Optional.empty();
    private volatile Optional<Instant> lastAnswerAt = Optional.empty();
    private volatile Optional<BackgroundTask> rounds = Optional.empty();
    private volatile boolean closing;

    /// Starts with the last seen entries.
    ///
    /// @param listener gets the entries at the start and after each change
    /// @throws IOException when the CA file cannot be used
    public SharedEntriesFollower(
            MirrorOptions options,
            PublisherEntries publisherEntries,
            Consumer<LocalEntries> listener,
            InstantSource clock)
            throws IOException {
        this.options = options;
        this.publisherEntries = publisherEntries;
        this.listener = listener;
        this.clock = clock;
        this.faults = new Conditions("mirror", clock);
        this.publisher = new Publisher(options);
        try {
            Optional<PublisherEntries.AcceptedEntries> storedEntries = publisherEntries.readStored();
            storedEntries.ifPresent(this::apply);
        } catch (IOException e) {
            faults.note(LISTINGS, IoText.describe(e));
        }
    }

    /// Makes rounds from now on, the first at once.
    public void start() {
        rounds = Optional.of(BackgroundTask.keepRunning("mirror-listings", () -> {
            while (true) {
                boolean _ = runRound();
                Thread.sleep(computePause());
            }
        }));
    }

    private Duration computePause() {
        return Jitter.vary(options.interval().compareTo(MAX_INTERVAL) < 0 ? options.interval() : MAX_INTERVAL);
    }

    /// Fetches the statement if it changed.
    ///
    /// @return whether the publisher's current entries apply here; the faults are in [#readStatus()]
    public synchronized boolean runRound() throws InterruptedException {
        try {
            publisherEntries
                    .fetch(publisher, accepted.map(PublisherEntries.AcceptedEntries::tag))
                    .ifPresent(this::apply);
            Instant now = clock.instant();
            lastAnswerAt = Optional.of(now);
            if (accepted.isPresent()) {
                LastSeenStatement.requireFresh(
                        accepted.get().counter(), accepted.get().expires(), now);
            }
            faults.clear(LISTINGS);
            return true;
        } catch (IOException | RuntimeException fault) {
            note(options.url() + ": " + Mirror.describe(fault));
            return false;
        }
    }

    private void note(String reason) {
        if (!closing) {
            faults.note(LISTINGS, reason);
        }
    }

    private void apply(PublisherEntries.AcceptedEntries newEntries) {
        boolean isSame =
                accepted.map(PublisherEntries.AcceptedEntries::entries).equals(Optional.of(newEntries.entries()));
        accepted = Optional.of(newEntries);
        if (!isSame) {
            listener.accept(newEntries.entries());
            LOG.info(
                    "mirror: applied listings of counter {} ({} entries, {} left out)",
                    newEntries.counter(),
                    newEntries.entries().size(),
                    newEntries.leftOut());
        }
        if (newEntries.leftOut() > 0) {
            String first = String.join("; ", newEntries.firstLeftOut());
            faults.note(LEFT_OUT, newEntries.leftOut() + " of counter " + newEntries.counter() + ": " + first);
        } else {
            faults.clear(LEFT_OUT);
        }
    }

    public Status readStatus() {
        Optional<PublisherEntries.AcceptedEntries> current = accepted;
        LocalEntries entries =
                current.map(PublisherEntries.AcceptedEntries::entries).orElse(LocalEntries.NONE);
        return new Status(
                lastAnswerAt,
                current.map(PublisherEntries.AcceptedEntries::counter),
                current.map(PublisherEntries.AcceptedEntries::expires),
                entries.of(Entry.Type.LISTING).size(),
                entries.of(Entry.Type.EXCEPTION).size(),
                current.map(PublisherEntries.AcceptedEntries::leftOut).orElse(0),
                faults.list(),
                faults.countNotes());
    }

    /// Aborts a round in progress.
    @Override
    public void close() {
        closing = true;
        rounds.ifPresent(BackgroundTask::close);
        publisher.close();
    }

    /// How far this machine follows its publisher's operators.
    ///
    /// @param lastAnswerAt time of the publisher's last answer, since start
    /// @param counter of the statement in use; empty before the first
    public record Status(
            Optional<Instant> lastAnswerAt,
            Optional<Long> counter,
            Optional<Instant> expires,
            int listings,
            int exceptions,
            int leftOut,
            List<Condition> faults,
            long faultsTotal) {
        public Status {
            faults = List.copyOf(faults);
        }
    }
}
