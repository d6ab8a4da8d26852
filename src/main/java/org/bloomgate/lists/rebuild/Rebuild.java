package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.lists.build.BlastRadius;
import org.bloomgate.lists.build.BlastReport;
import org.bloomgate.lists.build.FeedReport;
import org.bloomgate.lists.build.FilterOptions;
import org.bloomgate.lists.build.FilterSeeds;
import org.bloomgate.lists.build.Interruption;
import org.bloomgate.lists.build.KeySources;
import org.bloomgate.lists.build.PreviousSnapshot;
import org.bloomgate.lists.build.RebuildClock;
import org.bloomgate.lists.build.RebuildOptions;
import org.bloomgate.lists.build.RebuildOutcome;
import org.bloomgate.lists.build.RebuildProgress;
import org.bloomgate.lists.build.RebuildReport;
import org.bloomgate.lists.build.RebuildStage;
import org.bloomgate.lists.build.SeedSource;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCost;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lists.sort.SortedKeys;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.SortedStores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The nightly job for one layer: fetch, unpack, parse, sort, filters and store from one stream, proof,
/// publish.
///
/// Either a whole snapshot becomes current or nothing changes. Killed at any instant it leaves the snapshot
/// before current, and the next rebuild sweeps what is left. Two rebuilds of a layer exclude each other;
/// those of different layers do not. Heap is bounded by [RebuildOptions#sortMemoryBytes] and some tens of
/// MiB, whatever the number of entries.
public final class Rebuild {
    private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);

    private final Path snapshots;
    private final RebuildOptions options;
    private final FilterOptions filters;
    private final KeyJournalOptions mail;
    private final FeedFetcher fetcher;
    private final FeedReader reader;
    private final PublicSuffixes suffixes;
    private final SortedStores stores;
    private final Optional<ExactPublisher> shared;
    private final InstantSource clock;
    private final SeedSource seeds;

    /// The use of the snapshot after it was built and proven.
    public enum Mode {
        PUBLISH,
        /// It becomes current although bounds are exceeded; the report names them. A failed proof, a canary and
        /// a feed that cannot be had or read are no bounds.
        FORCE,
        /// It is deleted; the report shows what would have changed.
        DRY_RUN
    }

    /// @param snapshots root of all layers
    /// @param mail where gateways keep which keys recent mail held
    /// @param reader must make keys with `suffixes`, which go into the snapshot
    /// @param stores makes and opens exact stores
    /// @param shared is given the exact store of every snapshot before that becomes current
    /// @param clock the time of snapshots; a fixed one gives the same listings again
    public Rebuild(
            Path snapshots,
            RebuildOptions options,
            FilterOptions filters,
            KeyJournalOptions mail,
            FeedFetcher fetcher,
            FeedReader reader,
            PublicSuffixes suffixes,
            SortedStores stores,
            Optional<ExactPublisher> shared,
            InstantSource clock,
            SeedSource seeds) {
        this.mail = mail;
        this.snapshots = snapshots;
        this.options = options;
        this.filters = filters;
        this.fetcher = fetcher;
        this.reader = reader;
        this.suffixes = suffixes;
        this.stores = stores;
        this.shared = shared;
        this.clock = clock;
        this.seeds = seeds;
    }

    /// The cost of the feeds that were fetched on this machine, by name.
    ///
    /// @param snapshots root of all layers
    public static Map<String, FeedCost> costs(Path snapshots) throws IOException {
        return FeedCache.below(snapshots).costs();
    }

    /// Whether there is anything to do for the layer of a cadence: feeds, or a snapshot of feeds that are no
    /// longer configured, which an empty one is to take the place of.
    public boolean concerns(Cadence cadence, List<Feed> feeds) {
        return feeds.stream().anyMatch(feed -> feed.cadence() == cadence)
                || PreviousSnapshot.of(new LayerDirectory(snapshots, cadence.layer()))
                        .listsFeeds();
    }

    /// Rebuilds the layer of a cadence. Without any feed, a layer that had some becomes an empty one.
    ///
    /// @param configured all feeds; those of other cadences are left alone
    /// @param queried names of the feeds to fetch, the others come from their last good copies; empty for all
    /// @throws java.util.concurrent.CancellationException if the process was asked to stop
    /// @throws IOException for a fault of this machine, such as a full disk, or while another process writes
    ///     the layer; nothing was published
    public RebuildReport run(
            Cadence cadence, List<Feed> configured, Set<String> queried, Mode mode, RebuildProgress watcher)
            throws IOException {
        List<Feed> feeds = new FeedFiles(snapshots).of(configured);
        Set<String> only = FeedFiles.named(queried, configured);
        Optional<SigningKey> signingKey = signingKey();
        try (Interruption interruption = Interruption.watch();
                WorkFolder work = WorkFolder.open(workFolder(cadence.layer()))) {
            RebuildClock progress = new RebuildClock(watcher, interruption);
            Instant now = clock.instant();
            LayerRun layer = layerRun(cadence.layer(), feeds, mode, work, progress, now);
            Job job = new Job(layer, of(cadence, feeds), work.folder("fetched"), signingKey, mode);
            List<FetchResult> brought = FetchThreads.bring(
                    job.feeds,
                    feed -> only.isEmpty() || only.contains(feed.name())
                            ? job.intake.fromSource(feed)
                            : job.intake.fromCopy(feed),
                    progress);
            return job.build(brought, job.take(brought));
        }
    }

    /// Rebuilds the layer of a cadence when it is due, and publishes a snapshot when that would hold something
    /// else than the current one, whose age is renewed otherwise.
    ///
    /// @param configured all feeds; those of other cadences are left alone
    /// @param patience for another rebuild of the layer to end
    /// @throws java.util.concurrent.CancellationException if the process was asked to stop
    /// @throws IOException as [#run]
    public RebuildReport runDue(Cadence cadence, List<Feed> configured, Duration patience, RebuildProgress watcher)
            throws IOException {
        List<Feed> feeds = new FeedFiles(snapshots).of(configured);
        Optional<SigningKey> signingKey = signingKey();
        try (Interruption interruption = Interruption.watch();
                WorkFolder work = WorkFolder.open(workFolder(cadence.layer()), patience, interruption::check)) {
            RebuildClock progress = new RebuildClock(watcher, interruption);
            Instant now = clock.instant();
            LayerRun layer = layerRun(cadence.layer(), feeds, Mode.PUBLISH, work, progress, now);
            Job job = new Job(layer, of(cadence, feeds), work.folder("fetched"), signingKey, Mode.PUBLISH);
            RebuildSchedule due =
                    new RebuildSchedule(cadence, job.feeds, layer.previous(), job.recipe, job.before, job.copies, now);
            Optional<String> reason = due.reason();
            if (reason.isEmpty()) {
                return RebuildReport.notDue(cadence.layer(), layer.previous().generation(), now);
            }
            LOG.info("layer {} is due: {}", cadence.layer(), reason.get());
            return job.buildWhatChanged(due);
        }
    }

    /// Rebuilds the layer of a cadence from runs, instead of its feeds: the snapshot is that of a rebuild which
    /// read the feeds at the same time.
    ///
    /// @param configured all feeds, as they were when the runs were made
    /// @throws RunsRefusedException when the runs are of other feeds or settings, or damaged; nothing was published
    /// @throws IOException as [#run]
    public RebuildReport runFrom(Runs runs, Cadence cadence, List<Feed> configured, Mode mode, RebuildProgress watcher)
            throws IOException {
        List<Feed> feeds = new FeedFiles(snapshots).of(configured);
        Optional<SigningKey> signingKey = signingKey();
        try (Interruption interruption = Interruption.watch();
                WorkFolder work = WorkFolder.open(workFolder(cadence.layer()))) {
            RebuildClock progress = new RebuildClock(watcher, interruption);
            LayerRun layer = layerRun(cadence.layer(), feeds, mode, work, progress, clock.instant());
            Job job = new Job(layer, of(cadence, feeds), work.folder("fetched"), signingKey, mode);
            RunIngest intake = new RunIngest(runs, job.intake, reader, layer);
            List<FetchResult> brought = intake.brought(job.feeds, Sha256.hex(suffixes.bytes()));
            return job.build(brought, intake.take(brought));
        }
    }

    private static List<Feed> of(Cadence cadence, List<Feed> feeds) {
        return feeds.stream().filter(feed -> feed.cadence() == cadence).toList();
    }

    /// One rebuild of one layer, in the order of its methods.
    private final class Job {
        private final LayerRun run;
        private final List<Feed> feeds;
        private final Mode mode;
        private final Optional<SigningKey> signingKey;
        private final String recipe;
        private final Optional<LayerInputs> before;
        private final FeedCache copies;
        private final FeedIngest intake;
        private final LayerPublication publication;

        Job(LayerRun run, List<Feed> feeds, Path fetched, Optional<SigningKey> signingKey, Mode mode)
                throws IOException {
            this.run = run;
            this.feeds = feeds;
            this.mode = mode;
            this.signingKey = signingKey;
            recipe = recipe();
            before = LayerInputs.read(LayerInputs.file(snapshots, run.layer()));
            copies = FeedCache.below(snapshots);
            intake = new FeedIngest(fetcher, reader, copies, fetched, options, run);
            publication =
                    new LayerPublication(snapshots, options, filters, suffixes, copies, seeds, signingKey, shared, run);
        }

        /// Reads feeds only when one gave something else, or failed; builds only when what was read is
        /// something else.
        RebuildReport buildWhatChanged(RebuildSchedule due) throws IOException {
            List<FetchResult> brought = FetchThreads.bring(
                    feeds, feed -> due.asks(feed) ? intake.fromSource(feed) : intake.notDue(feed), run.progress());
            LayerInputs given = inputs(brought, List.of(), false);
            boolean noneFailed = given.feeds().stream().noneMatch(LayerInputs.FeedInput::failed)
                    && before.stream().flatMap(last -> last.feeds().stream()).noneMatch(LayerInputs.FeedInput::failed);
            if (noneFailed && isNothingNew(given) && confirm(given)) {
                return publication.confirmed(
                        brought.stream().map(intake::unchanged).toList());
            }
            List<IngestResult> ingested = take(brought);
            LayerInputs taken = inputs(brought, ingested, false);
            if (isNothingNew(taken) && confirm(taken)) {
                return publication.confirmed(ingested);
            }
            return build(brought, ingested);
        }

        private boolean isNothingNew(LayerInputs inputs) {
            return run.previous().listsFeeds()
                    && before.filter(last -> last.generation()
                                    .equals(run.previous().generation().orElse("")))
                            .filter(last -> inputs.givesSameAs(last, run.now()))
                            .isPresent();
        }

        /// Renews the confirmation of the current snapshot, unless no source was reached. The inputs are
        /// written first: after a kill in between, the layer is due at the next rebuild and no source is asked
        /// twice.
        ///
        /// @return false when the snapshot is damaged, and another one has to take its place
        private boolean confirm(LayerInputs inputs) throws IOException {
            write(inputs);
            boolean lastSeen =
                    inputs.feeds().stream().anyMatch(feed -> feed.from().isFresh());
            try {
                if (lastSeen) {
                    new LayerDirectory(snapshots, run.layer())
                            .confirm(inputs.generation(), new SnapshotReader(), signingKey, run.now());
                }
                return true;
            } catch (SnapshotRefusedException damaged) {
                run.warnings().add(PreviousSnapshot.warning(String.valueOf(damaged.getMessage())));
                return false;
            }
        }

        List<IngestResult> take(List<FetchResult> brought) throws IOException {
            List<IngestResult> ingested = new ArrayList<>();
            for (FetchResult feed : brought) {
                ingested.add(intake.take(feed));
            }
            return ingested;
        }

        /// Until no feed is at fault any more. That ends: what is at fault loses at least an entry each time, a few
        /// entries at most, then its content of today, then its last good copy.
        RebuildReport build(List<FetchResult> brought, List<IngestResult> first) throws IOException {
            RetainedListings retained = new RetainedListings(reader, run);
            retained.add(feeds);
            List<IngestResult> ingested = first;
            List<BlastReport.OfFeed> held = new ArrayList<>();
            while (true) {
                Promotion promotion = new Promotion(run, reader, suffixes, options);
                switch (publication.publish(promotion.with(merged()), ingested, mode, held)) {
                    case LayerPublication.Attempt.Done(RebuildReport report) -> {
                        tell(promotion);
                        keep(report, brought, ingested, retained);
                        return report;
                    }
                    case LayerPublication.Attempt.AtFault(List<FeedFault> faults, List<BlastReport.OfFeed> blasts) -> {
                        held.addAll(blasts);
                        if (RunIngest.gave(brought)) {
                            RebuildReport report = publication.closed(ingested, faults, held);
                            keep(report, brought, ingested, retained);
                            return report;
                        }
                        ingested = withoutFaults(ingested, faults);
                    }
                }
            }
        }

        private void tell(Promotion promotion) {
            if (promotion.promoted() > 0) {
                LOG.info("layer {}: {} hosts listed as a whole", run.layer(), promotion.promoted());
            }
        }

        private SortedKeys merged() throws IOException {
            run.progress().begin(RebuildStage.MERGE, "");
            return run.sort()
                    .finish(
                            run.sources().dropped(),
                            done -> run.progress().advance(done, run.sort().records()));
        }

        private List<IngestResult> withoutFaults(List<IngestResult> ingested, List<FeedFault> faults)
                throws IOException {
            Map<String, FeedFault> byFeed =
                    faults.stream().collect(Collectors.toMap(FeedFault::feed, Function.identity()));
            List<IngestResult> again = new ArrayList<>();
            for (IngestResult feed : ingested) {
                Optional<FeedFault> fault =
                        Optional.ofNullable(byFeed.get(feed.feed().name()));
                again.add(fault.isPresent() ? intake.again(feed, fault.get()) : feed);
            }
            return again;
        }

        /// Records the inputs of the snapshot for the next rebuild.
        private void keep(
                RebuildReport report, List<FetchResult> brought, List<IngestResult> ingested, RetainedListings retained)
                throws IOException {
            if (mode != Mode.DRY_RUN) {
                boolean held = report.outcome() == RebuildOutcome.GATE_CLOSED;
                LayerInputs made = inputs(brought, ingested, held);
                write(made.until(earlier(retained.until(), seedsUntil()))
                        .of(held ? made.generation() : report.generation().orElse("")));
            }
        }

        private Optional<Instant> seedsUntil() throws IOException {
            return FilterSeeds.read(snapshots.resolve(".seeds").resolve(run.layer()))
                    .until(options.seedLifetime());
        }

        private LayerInputs inputs(List<FetchResult> brought, List<IngestResult> ingested, boolean held) {
            List<LayerInputs.FeedInput> inputs = new ArrayList<>();
            for (int i = 0; i < brought.size(); i++) {
                FetchResult feed = brought.get(i);
                FeedReport.From from = ingested.isEmpty()
                        ? feed.from()
                        : ingested.get(i).report().from();
                boolean failed = ingested.isEmpty()
                        ? feed.answer() instanceof FetchResult.Answer.Refused
                        : ingested.get(i).report().failure().isPresent();
                Optional<LayerInputs.FeedInput> last =
                        before.flatMap(known -> known.feed(feed.feed().name()));
                inputs.add(feed.input(from, failed, last, run.now()));
            }
            return new LayerInputs(
                    run.previous().generation().orElse(""),
                    recipe,
                    held,
                    before.flatMap(LayerInputs::holdsUntil),
                    inputs);
        }

        /// The snapshot is what it is: without the file the next rebuild has more to do.
        private void write(LayerInputs inputs) {
            try {
                inputs.write(LayerInputs.file(snapshots, run.layer()));
            } catch (IOException e) {
                run.warnings().add("what this rebuild was made of is not kept: " + e);
                LOG.warn("layer {}: what this rebuild was made of is not kept: {}", run.layer(), IoText.describe(e));
            }
        }
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Instant::compareTo);
    }

    private String recipe() throws IOException {
        Optional<Path> key = options.signingKey();
        return OptionsDigest.of(
                CanonicalForm.VERSION,
                SnapshotManifest.FORMAT_VERSION,
                options.rates(),
                options.bounds(),
                options.deltas(),
                filters,
                Sha256.hex(suffixes.bytes()),
                reader.allowed(),
                reader.ofKeys(),
                key.isPresent() ? Sha256.hex(key.get()) : "");
    }

    /// Read first: a key that is unusable must not be discovered after hours of work.
    private Optional<SigningKey> signingKey() throws IOException {
        return options.signingKey().isPresent()
                ? Optional.of(SigningKey.read(
                        "rebuild.signingKey", options.signingKey().get()))
                : Optional.empty();
    }

    private LayerRun layerRun(
            String layer, List<Feed> feeds, Mode mode, WorkFolder work, RebuildClock progress, Instant now)
            throws IOException {
        PreviousSnapshot previous = PreviousSnapshot.of(new LayerDirectory(snapshots, layer));
        List<String> warnings = new ArrayList<>();
        previous.fault().ifPresent(fault -> warnings.add(PreviousSnapshot.warning(fault)));
        return new LayerRun(
                layer,
                feeds.stream().map(Feed::name).collect(Collectors.toSet()),
                feeds.stream()
                        .filter(feed -> feed.bounds().maxGrowthShare().isEmpty())
                        .map(Feed::name)
                        .collect(Collectors.toSet()),
                previous,
                stores,
                new PublishChecks(mode == Mode.FORCE),
                recentMail(now),
                new ExternalSort(
                        work.folder("sort"),
                        options.sortMemoryBytes(),
                        task -> BackgroundTask.threads("sort").newThread(task).start()),
                new KeySources(),
                progress,
                warnings,
                now);
    }

    private Future<BlastRadius> recentMail(Instant now) {
        FutureTask<BlastRadius> reading =
                new FutureTask<>(() -> BlastRadius.onMailBefore(now, mail, options.examples()));
        BackgroundTask.threads("recent-mail").newThread(reading).start();
        return reading;
    }

    private Path workFolder(String layer) {
        return snapshots.resolve(".work").resolve(layer);
    }
}
