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
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCost;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.layer.BlastRadius;
import org.bloomgate.lists.layer.BlastReport;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.FilterOptions;
import org.bloomgate.lists.layer.FilterSeeds;
import org.bloomgate.lists.layer.Interruption;
import org.bloomgate.lists.layer.KeySources;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.layer.RebuildClock;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildProgress;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.RebuildStage;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lists.sort.SortedKeys;
import org.bloomgate.lookup.store.ExactPublisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The nightly job for one layer: fetch, unpack, parse and sort the feeds, write filters and store in one pass,
/// prove and publish them.
///
/// Either a complete snapshot becomes current or nothing changes. If the process is killed, the previous
/// snapshot stays current, and the next rebuild deletes the temporary files. Two rebuilds of one layer exclude
/// each other. The heap is bounded by [RebuildOptions#sortMemoryBytes] and some tens of MiB, whatever the
/// number of entries.
public final class Rebuild {
    private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);

    private final Path snapshots;
    private final RebuildOptions options;
    private final FilterOptions filters;
    private final KeyJournalOptions mail;
    private final FeedFetcher fetcher;
    private final FeedReader reader;
    private final PublicSuffixes suffixes;
    private final Optional<ExactPublisher> shared;
    private final InstantSource clock;
    private final SeedSource seeds;

    /// The use of the snapshot after it was built and proven.
    public enum Mode {
        PUBLISH,
        /// It becomes current even if bounds are exceeded; the report names them. Force does not override a
        /// failed proof, a canary, or a feed that cannot be fetched or parsed.
        FORCE,
        /// It is deleted; the report shows what would have changed.
        DRY_RUN
    }

    /// @param snapshots root of all layers
    /// @param mail the records of the keys of recent messages
    /// @param reader must make keys with `suffixes`, which become part of the snapshot
    /// @param shared store to which the exact store of a snapshot is written before the snapshot becomes
    ///     current
    /// @param clock the time of snapshots; with a fixed one, the same feeds make the same listings
    public Rebuild(
            Path snapshots,
            RebuildOptions options,
            FilterOptions filters,
            KeyJournalOptions mail,
            FeedFetcher fetcher,
            FeedReader reader,
            PublicSuffixes suffixes,
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

    /// Whether the layer of a cadence has feeds, or a snapshot of feeds that are no longer configured, which an
    /// empty snapshot has to replace.
    public boolean hasWork(Cadence cadence, List<Feed> feeds) {
        return feeds.stream().anyMatch(feed -> feed.cadence() == cadence)
                || PreviousSnapshot.of(new LayerDirectory(snapshots, cadence.layer()))
                        .listsFeeds();
    }

    /// Rebuilds the layer of a cadence. If no feed is left, the layer becomes empty.
    ///
    /// @param configured all feeds; those of other cadences are ignored
    /// @param feedNames feeds to fetch, while the others are read from their last good copies; empty for all
    /// @throws java.util.concurrent.CancellationException if the process received a signal to stop
    /// @throws IOException for a fault of this machine, such as a full disk, or while another process writes
    ///     the layer; nothing was published
    public RebuildReport run(
            Cadence cadence, List<Feed> configured, Set<String> feedNames, Mode mode, RebuildProgress display)
            throws IOException {
        List<Feed> feeds = new FeedFiles(snapshots).of(configured);
        Set<String> requested = FeedFiles.withFiles(feedNames, configured);
        Optional<SigningKey> signingKey = signingKey();
        try (Interruption interruption = Interruption.watch();
                WorkFolder work = WorkFolder.open(workFolder(cadence.layer()))) {
            RebuildClock progress = new RebuildClock(display, interruption);
            Instant now = clock.instant();
            LayerRun layer = layerRun(cadence.layer(), feeds, mode, work, progress, now);
            Job job = new Job(layer, of(cadence, feeds), work.folder("fetched"), signingKey, mode);
            List<FetchResult> fetched = FetchThreads.fetch(
                    job.feeds,
                    feed -> requested.isEmpty() || requested.contains(feed.name())
                            ? job.ingest.fetch(feed)
                            : job.ingest.useCopy(feed),
                    progress);
            return job.build(fetched, job.ingest(fetched));
        }
    }

    /// Rebuilds the layer of a cadence if it is due. Publishes a snapshot if it would differ from the current
    /// one; otherwise renews the age of the current one.
    ///
    /// @param configured all feeds; those of other cadences are ignored
    /// @param timeout for another rebuild of the layer to end
    /// @throws java.util.concurrent.CancellationException if the process received a signal to stop
    /// @throws IOException as [#run]
    public RebuildReport runDue(Cadence cadence, List<Feed> configured, Duration timeout, RebuildProgress display)
            throws IOException {
        List<Feed> feeds = new FeedFiles(snapshots).of(configured);
        Optional<SigningKey> signingKey = signingKey();
        try (Interruption interruption = Interruption.watch();
                WorkFolder work = WorkFolder.open(workFolder(cadence.layer()), timeout, interruption::check)) {
            RebuildClock progress = new RebuildClock(display, interruption);
            Instant now = clock.instant();
            LayerRun layer = layerRun(cadence.layer(), feeds, Mode.PUBLISH, work, progress, now);
            Job job = new Job(layer, of(cadence, feeds), work.folder("fetched"), signingKey, Mode.PUBLISH);
            RebuildSchedule schedule =
                    new RebuildSchedule(cadence, job.feeds, layer.previous(), job.recipe, job.before, job.copies, now);
            Optional<String> reason = schedule.reason();
            if (reason.isEmpty()) {
                return RebuildReport.notDue(cadence.layer(), layer.previous().generation(), now);
            }
            LOG.info("layer {} is due: {}", cadence.layer(), reason.get());
            return job.buildIfChanged(schedule);
        }
    }

    /// Rebuilds the layer of a cadence from runs instead of its feeds. The snapshot is the same as that of a
    /// rebuild which reads the feeds at the time of the runs.
    ///
    /// @param configured all feeds, as they were when the runs were made
    /// @throws RunsRefusedException if the runs were made from other feeds or settings, or are damaged; nothing
    ///     was published
    /// @throws IOException as [#run]
    public RebuildReport runFrom(Runs runs, Cadence cadence, List<Feed> configured, Mode mode, RebuildProgress display)
            throws IOException {
        List<Feed> feeds = new FeedFiles(snapshots).of(configured);
        Optional<SigningKey> signingKey = signingKey();
        try (Interruption interruption = Interruption.watch();
                WorkFolder work = WorkFolder.open(workFolder(cadence.layer()))) {
            RebuildClock progress = new RebuildClock(display, interruption);
            LayerRun layer = layerRun(cadence.layer(), feeds, mode, work, progress, clock.instant());
            Job job = new Job(layer, of(cadence, feeds), work.folder("fetched"), signingKey, mode);
            RunIngest ingest = new RunIngest(runs, job.ingest, reader, layer);
            List<FetchResult> fetched = ingest.results(job.feeds, Sha256.hex(suffixes.bytes()));
            return job.build(fetched, ingest.ingest(fetched));
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
        private final FeedIngest ingest;
        private final LayerPublication publication;

        Job(LayerRun run, List<Feed> feeds, Path fetchFolder, Optional<SigningKey> signingKey, Mode mode)
                throws IOException {
            this.run = run;
            this.feeds = feeds;
            this.mode = mode;
            this.signingKey = signingKey;
            recipe = recipe();
            before = LayerInputs.read(LayerInputs.file(snapshots, run.layer()));
            copies = FeedCache.below(snapshots);
            ingest = new FeedIngest(fetcher, reader, copies, fetchFolder, options, run);
            publication =
                    new LayerPublication(snapshots, options, filters, suffixes, copies, seeds, signingKey, shared, run);
        }

        /// Reads the feeds only if one changed or failed, and builds only if the accepted content changed.
        RebuildReport buildIfChanged(RebuildSchedule schedule) throws IOException {
            List<FetchResult> fetched = FetchThreads.fetch(
                    feeds,
                    feed -> schedule.fetches(feed) ? ingest.fetch(feed) : ingest.useRecentCopy(feed),
                    run.progress());
            LayerInputs fetchedInputs = inputs(fetched, List.of(), false);
            boolean noneFailed = fetchedInputs.feeds().stream().noneMatch(LayerInputs.FeedInput::failed)
                    && before.stream().flatMap(last -> last.feeds().stream()).noneMatch(LayerInputs.FeedInput::failed);
            if (noneFailed && areUnchanged(fetchedInputs) && confirm(fetchedInputs)) {
                return publication.confirmed(
                        fetched.stream().map(ingest::unchanged).toList());
            }
            List<IngestResult> ingested = ingest(fetched);
            LayerInputs acceptedInputs = inputs(fetched, ingested, false);
            if (areUnchanged(acceptedInputs) && confirm(acceptedInputs)) {
                return publication.confirmed(ingested);
            }
            return build(fetched, ingested);
        }

        private boolean areUnchanged(LayerInputs inputs) {
            return run.previous().listsFeeds()
                    && before.filter(last -> last.generation()
                                    .equals(run.previous().generation().orElse("")))
                            .filter(last -> inputs.areSameAs(last, run.now()))
                            .isPresent();
        }

        /// Renews the confirmation of the current snapshot, unless no source was reached. The inputs are
        /// written first: after a kill in between, the layer is due at the next rebuild and no source is
        /// fetched twice.
        ///
        /// @return false if the snapshot is damaged and has to be replaced
        private boolean confirm(LayerInputs inputs) throws IOException {
            write(inputs);
            boolean reached =
                    inputs.feeds().stream().anyMatch(feed -> feed.from().isFresh());
            try {
                if (reached) {
                    new LayerDirectory(snapshots, run.layer())
                            .confirm(inputs.generation(), new SnapshotReader(), signingKey, run.now());
                }
                return true;
            } catch (SnapshotRefusedException damaged) {
                run.warnings().add(PreviousSnapshot.warning(String.valueOf(damaged.getMessage())));
                return false;
            }
        }

        List<IngestResult> ingest(List<FetchResult> fetched) throws IOException {
            List<IngestResult> ingested = new ArrayList<>();
            for (FetchResult feed : fetched) {
                ingested.add(ingest.ingest(feed));
            }
            return ingested;
        }

        /// Builds until no feed is at fault any more. This ends, as a feed at fault loses at least one entry
        /// each time: a few single entries, then its content of today, then its last good copy.
        RebuildReport build(List<FetchResult> fetched, List<IngestResult> first) throws IOException {
            RetainedListings retained = new RetainedListings(reader, run);
            retained.add(feeds);
            List<IngestResult> ingested = first;
            List<BlastReport.OfFeed> held = new ArrayList<>();
            while (true) {
                Promotion promotion = new Promotion(run, reader, suffixes, options);
                switch (publication.publish(promotion.with(merged()), ingested, mode, held)) {
                    case LayerPublication.Attempt.Done(RebuildReport report) -> {
                        logPromoted(promotion);
                        recordInputs(report, fetched, ingested, retained);
                        return report;
                    }
                    case LayerPublication.Attempt.AtFault(List<FeedFault> faults, List<BlastReport.OfFeed> blasts) -> {
                        held.addAll(blasts);
                        if (RunIngest.areRuns(fetched)) {
                            RebuildReport report = publication.closed(ingested, faults, held);
                            recordInputs(report, fetched, ingested, retained);
                            return report;
                        }
                        ingested = withoutFaults(ingested, faults);
                    }
                }
            }
        }

        private void logPromoted(Promotion promotion) {
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
            List<IngestResult> corrected = new ArrayList<>();
            for (IngestResult feed : ingested) {
                Optional<FeedFault> fault =
                        Optional.ofNullable(byFeed.get(feed.feed().name()));
                corrected.add(fault.isPresent() ? ingest.readAgain(feed, fault.get()) : feed);
            }
            return corrected;
        }

        /// Records the inputs of the snapshot for the next rebuild.
        private void recordInputs(
                RebuildReport report, List<FetchResult> fetched, List<IngestResult> ingested, RetainedListings retained)
                throws IOException {
            if (mode != Mode.DRY_RUN) {
                boolean held = report.outcome() == RebuildOutcome.GATE_CLOSED;
                LayerInputs inputs = inputs(fetched, ingested, held);
                write(inputs.until(earlier(retained.until(), seedsUntil()))
                        .of(held ? inputs.generation() : report.generation().orElse("")));
            }
        }

        private Optional<Instant> seedsUntil() throws IOException {
            return FilterSeeds.read(snapshots.resolve(".seeds").resolve(run.layer()))
                    .until(options.seedLifetime());
        }

        private LayerInputs inputs(List<FetchResult> fetched, List<IngestResult> ingested, boolean held) {
            List<LayerInputs.FeedInput> inputs = new ArrayList<>();
            for (int i = 0; i < fetched.size(); i++) {
                FetchResult feed = fetched.get(i);
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

        /// A failure is only a warning: without the file the next rebuild has more to do.
        private void write(LayerInputs inputs) {
            try {
                inputs.write(LayerInputs.file(snapshots, run.layer()));
            } catch (IOException e) {
                run.warnings().add("the inputs of this rebuild are not recorded: " + e);
                LOG.warn("layer {}: the inputs of this rebuild are not recorded: {}", run.layer(), IoText.describe(e));
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
                reader.gatesDigest(),
                reader.keyRules(),
                key.isPresent() ? Sha256.hex(key.get()) : "");
    }

    /// The key is read first: that it is unusable must not be discovered after hours of work.
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
                new ForcedGates(mode == Mode.FORCE),
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
