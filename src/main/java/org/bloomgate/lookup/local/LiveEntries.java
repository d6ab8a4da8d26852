package org.bloomgate.lookup.local;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.LiveBlocklists;
import org.bloomgate.lookup.tier.LocalRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The current local entries, in addition to the snapshots: reads the file again when it has changed and swaps
/// one reference. A lease keeps the entries of the moment it was taken, as it keeps its snapshots.
///
/// An unreadable or missing file leaves the entries as they were: a fault must not remove protection, nor
/// restore what an exception has lifted. Thread-safe; [#lease()] takes no lock except at the moment an entry
/// expires.
public final class LiveEntries implements LayerSource, AutoCloseable {
    /// A crash may lose the hits of exceptions of this time.
    private static final Duration HITS_INTERVAL = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(LiveEntries.class);

    private final LayerSource snapshots;
    private final LocalFile file;
    private final Supplier<Optional<LiveBlocklists>> liveBlocklists;
    private final InstantSource clock;
    private final ExceptionHits hits;
    private volatile Optional<BackgroundTask> fileWatch = Optional.empty();
    private volatile Optional<BackgroundTask> hitsWriter = Optional.empty();
    private Optional<LocalFile.Stamp> lastStamp;
    private volatile Optional<Fault> fault = Optional.empty();
    private volatile LocalEntries published = LocalEntries.NONE;
    private volatile State state;

    /// @param at when the fault began
    public record Fault(String why, Instant at) {}

    /// @param all entries of the file, including expired ones: they apply again if the clock is set back
    /// @param shared entries of the publisher's operators, likewise
    /// @param since when the last expired entry expired
    /// @param end when the next entry expires
    private record State(
            LocalEntries all, LocalEntries shared, LocalEntries entries, LocalRules rules, Instant since, Instant end) {
        static State of(LocalEntries all, LocalEntries shared, Instant now) {
            LocalEntries entries = all.at(now);
            LocalEntries publisherEntries = shared.at(now);
            return new State(
                    all,
                    shared,
                    entries,
                    entries.size() + publisherEntries.size() == 0
                            ? LocalRules.NONE
                            : entries.rules(
                                    publisherEntries,
                                    ThreadLocalRandom.current().nextLong()),
                    Collections.max(List.of(
                            all.lastExpiry(now).orElse(Instant.MIN),
                            shared.lastExpiry(now).orElse(Instant.MIN))),
                    Collections.min(List.of(
                            entries.nextExpiry().orElse(Instant.MAX),
                            publisherEntries.nextExpiry().orElse(Instant.MAX))));
        }

        boolean isCurrentAt(Instant now) {
            return now.isBefore(end) && !now.isBefore(since);
        }
    }

    /// Reads the file.
    ///
    /// @throws IOException if the file exists and cannot be read: without it, its entries would not apply
    public LiveEntries(LayerSource snapshots, LocalFile file, InstantSource clock) throws IOException {
        this(snapshots, file, Optional::empty, clock);
    }

    /// @param liveBlocklists supplies the live blocklists when a lease is taken
    public LiveEntries(
            LayerSource snapshots,
            LocalFile file,
            Supplier<Optional<LiveBlocklists>> liveBlocklists,
            InstantSource clock)
            throws IOException {
        this.snapshots = snapshots;
        this.file = file;
        this.liveBlocklists = liveBlocklists;
        this.clock = clock;
        this.hits = new ExceptionHits(file.directory(), clock);
        this.lastStamp = file.stamp();
        this.state = State.of(file.readAll(), LocalEntries.NONE, clock.instant());
    }

    /// Starts a daemon thread that checks the file at this interval.
    public void watch(Duration interval) {
        fileWatch = Optional.of(BackgroundTask.every(interval, "local", this::checkNow));
        hitsWriter = Optional.of(BackgroundTask.every(HITS_INTERVAL, "exception-hits", this::saveHits));
    }

    /// Writes the hits of exceptions to their file.
    void saveHits() {
        hits.save(entries());
    }

    /// The hits of exceptions.
    public ExceptionHits hits() {
        return hits;
    }

    /// Checks the file once and applies changes.
    public synchronized void checkNow() {
        Optional<LocalFile.Stamp> stamp = lastStamp;
        try {
            stamp = file.stamp();
            if (stamp.equals(lastStamp)) {
                return;
            }
            if (stamp.isEmpty()) {
                recordFault(file.path()
                        + ": is gone; put it back, or move its folder away and restart to go on without it");
            } else {
                apply(file.readAll());
            }
            lastStamp = stamp;
        } catch (DamagedFileException e) {
            lastStamp = stamp;
            recordFault(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            // The next check reads it again: the machine may have failed, and not the file.
            recordFault(IoText.describe(e));
        }
    }

    /// After a fault the file may be an older copy, or a new file without the earlier entries.
    private void apply(LocalEntries entries) {
        LocalEntries before = entries();
        state = State.of(entries, state.shared, clock.instant());
        if (fault.isPresent() && before.countMissingIn(entries) > 0) {
            LOG.warn("{}: without {} of the entries that were in force", file.path(), before.countMissingIn(entries));
        }
        fault = Optional.empty();
        LocalEntries current = entries();
        LOG.info(
                "{}: in force: listings {}, exceptions {}",
                file.path(),
                current.of(Entry.Type.LISTING).size(),
                current.of(Entry.Type.EXCEPTION).size());
    }

    private void recordFault(String why) {
        if (fault.filter(known -> known.why.equals(why)).isEmpty()) {
            LOG.error("local listings and exceptions stay as they were: {}", why);
            fault = Optional.of(new Fault(why, clock.instant()));
        }
    }

    /// Why the current entries differ from the file; empty if they do not.
    public Optional<Fault> fault() {
        return fault;
    }

    /// Changes the file and, before this returns, the entries in use. A missing file is written again with the
    /// entries in use, which are known only here.
    public LocalFile.Changed change(Actor by, LocalFile.Change change) throws IOException, EntryRefusedException {
        LocalFile.Changed changed = file.change(by, entries(), change);
        checkNow();
        return changed;
    }

    /// Applies the entries of a publisher's operators, instead of their earlier ones. An entry made here takes
    /// precedence over one of the same value.
    public synchronized void share(LocalEntries publisher) {
        state = State.of(state.all, publisher, clock.instant());
    }

    /// The entries made here.
    public LocalEntries entries() {
        return currentState().entries;
    }

    /// The entries of a publisher's operators, including those that an entry made here overrules.
    public LocalEntries shared() {
        return currentState().shared.at(clock.instant());
    }

    /// Sets the entries that mirrors have received.
    public void setPublished(LocalEntries entries) {
        published = entries;
    }

    /// The entries of the publisher, and those published for mirrors.
    public RemoteEntries remoteEntries() {
        return new RemoteEntries(shared(), published);
    }

    /// The entries made here, including those that have expired since the last change.
    public LocalEntries all() {
        return state.all;
    }

    private State currentState() {
        State known = state;
        return known.isCurrentAt(clock.instant()) ? known : renewState();
    }

    private synchronized State renewState() {
        State renewed = State.of(state.all, state.shared, clock.instant());
        state = renewed;
        return renewed;
    }

    @Override
    public LayerLease lease() {
        return new Lease(snapshots.lease(), currentState().rules, liveBlocklists.get(), hits);
    }

    private record Lease(
            LayerLease snapshots, LocalRules local, Optional<LiveBlocklists> liveBlocklists, ExceptionHits hits)
            implements LayerLease {
        @Override
        public void recordHit(ListingException exception) {
            hits.recordHit(exception.key(), exception.scope());
        }

        @Override
        public void recordUnauthenticated(ListingException exception, String why) {
            hits.recordClaim(exception.key(), exception.scope(), why);
        }

        @Override
        public List<Layer> layers() {
            return snapshots.layers();
        }

        @Override
        public PublicSuffixes suffixes() {
            return snapshots.suffixes();
        }

        @Override
        public void close() {
            snapshots.close();
        }
    }

    /// Stops the threads and writes the hits. Does not close the snapshots.
    @Override
    public void close() {
        fileWatch.ifPresent(BackgroundTask::close);
        hitsWriter.ifPresent(writer -> {
            writer.close();
            saveHits();
        });
    }
}
