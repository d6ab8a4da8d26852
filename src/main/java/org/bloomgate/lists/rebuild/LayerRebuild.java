package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.JsonFile;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.layer.BlastReport;
import org.bloomgate.lists.layer.FilterSeeds;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.RebuildStage;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lists.sort.SortedKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One rebuild of one layer: fetches and reads its feeds, builds the snapshot until no feed is at fault, and
/// records the inputs.
final class LayerRebuild {
    private static final Logger LOG = LoggerFactory.getLogger(LayerRebuild.class);

    private final Rebuild rebuild;
    private final LayerRun run;
    private final List<Feed> feeds;
    private final Rebuild.Mode mode;
    private final Optional<SigningKey> signingKey;
    private final String recipe;
    private final Optional<LayerInputs> before;
    private final FeedCache copies;
    private final FeedIngest ingest;
    private final LayerPublication publication;

    /// @param feeds of the layer
    /// @param fetchFolder for fetched files
    LayerRebuild(
            Rebuild rebuild,
            LayerRun run,
            List<Feed> feeds,
            Path fetchFolder,
            Optional<SigningKey> signingKey,
            Rebuild.Mode mode)
            throws IOException {
        this.rebuild = rebuild;
        this.run = run;
        this.feeds = feeds;
        this.mode = mode;
        this.signingKey = signingKey;
        recipe = digestRecipe(rebuild);
        before = inputsFile().readOrRestart("the layer is due");
        copies = FeedCache.below(rebuild.settings().snapshots());
        ingest = new FeedIngest(rebuild, copies, fetchFolder, run);
        publication = new LayerPublication(rebuild, copies, signingKey, run);
    }

    private JsonFile<LayerInputs> inputsFile() {
        return LayerInputs.file(rebuild.settings().snapshots(), run.layer());
    }

    /// The digest of everything except the feeds that determines the content of a snapshot.
    private static String digestRecipe(Rebuild rebuild) throws IOException {
        Rebuild.Settings settings = rebuild.settings();
        Optional<Path> key = settings.options().signingKey();
        return OptionsDigest.of(
                CanonicalForm.VERSION,
                SnapshotManifest.FORMAT_VERSION,
                settings.options().bounds(),
                settings.options().deltas(),
                settings.filters(),
                rebuild.tools().suffixesDigest(),
                rebuild.tools().reader().computeGatesDigest(),
                rebuild.tools().reader().describeKeyRules(),
                key.isPresent() ? Sha256.hex(key.get()) : "");
    }

    /// @param requested names of the feeds to fetch, while the others are read from their last good copies;
    ///     empty for all
    RebuildReport buildFromFeeds(Set<String> requested) throws IOException {
        List<FeedOutcome> fetched = FetchThreads.fetch(
                feeds,
                (feed, timeout) -> requested.isEmpty() || requested.contains(feed.name())
                        ? ingest.fetch(feed, timeout)
                        : ingest.useCopy(feed),
                run.progress());
        return build(ingest(fetched));
    }

    RebuildReport buildFromRuns(Runs runs) throws IOException {
        RunIngest runIngest = new RunIngest(runs, ingest, rebuild.tools().reader(), run);
        return build(runIngest.ingest(runIngest.outcomes(feeds, rebuild.tools().suffixesDigest())));
    }

    RebuildReport buildIfDue(Cadence cadence) throws IOException {
        RebuildSchedule schedule =
                new RebuildSchedule(cadence, feeds, run.previous(), recipe, before, copies, run.now());
        Optional<String> reason = schedule.findReason();
        if (reason.isEmpty()) {
            return RebuildReport.notDue(run.layer(), run.previous().generation(), run.now());
        }
        LOG.info("layer {} is due: {}", run.layer(), reason.get());
        return buildIfChanged(schedule);
    }

    /// Reads the feeds only if one changed or failed, and builds only if the accepted content changed.
    private RebuildReport buildIfChanged(RebuildSchedule schedule) throws IOException {
        List<FeedOutcome> fetched = FetchThreads.fetch(
                feeds,
                (feed, timeout) ->
                        schedule.fetches(feed) ? ingest.fetch(feed, timeout) : ingest.useRecentCopy(feed, timeout),
                run.progress());
        LayerInputs fetchedInputs = inputs(fetched, false);
        boolean noneFailed = fetchedInputs.feeds().stream().noneMatch(LayerInputs.FeedInput::failed)
                && before.stream().flatMap(last -> last.feeds().stream()).noneMatch(LayerInputs.FeedInput::failed);
        if (noneFailed && areUnchanged(fetchedInputs) && confirm(fetchedInputs)) {
            return publication.reportConfirmed(
                    fetched.stream().map(ingest::confirm).toList());
        }
        List<FeedOutcome> ingested = ingest(fetched);
        LayerInputs acceptedInputs = inputs(ingested, false);
        if (areUnchanged(acceptedInputs) && confirm(acceptedInputs)) {
            return publication.reportConfirmed(ingested);
        }
        return build(ingested);
    }

    private boolean areUnchanged(LayerInputs inputs) {
        return run.previous().listsFeeds()
                && before.filter(last -> last.generation()
                                .equals(run.previous().generation().orElse("")))
                        .filter(last -> inputs.areSameAs(last, run.now()))
                        .isPresent();
    }

    /// Renews the confirmation of the current snapshot, unless no source was reached. The inputs are written
    /// first: after a kill in between, the layer is due at the next rebuild and no source is fetched twice.
    ///
    /// @return false if the snapshot is damaged and has to be replaced
    private boolean confirm(LayerInputs inputs) throws IOException {
        write(inputs);
        boolean reached = inputs.feeds().stream().anyMatch(feed -> feed.from().isFresh());
        try {
            if (reached) {
                run.previous().layer().confirm(inputs.generation(), new SnapshotReader(), signingKey, run.now());
            }
            return true;
        } catch (SnapshotRefusedException damaged) {
            run.warn(PreviousSnapshot.warning(String.valueOf(damaged.getMessage())));
            return false;
        }
    }

    private List<FeedOutcome> ingest(List<FeedOutcome> fetched) throws IOException {
        List<FeedOutcome> ingested = new ArrayList<>();
        for (FeedOutcome feed : fetched) {
            ingested.add(ingest.ingest(feed));
        }
        return ingested;
    }

    /// Builds until no feed is at fault any more. This ends, as a feed at fault loses at least one entry each
    /// time: a few single entries, then its content of today, then its last good copy.
    private RebuildReport build(List<FeedOutcome> first) throws IOException {
        RetainedListings retained = new RetainedListings(rebuild.tools().reader(), run);
        retained.add(feeds);
        List<FeedOutcome> ingested = first;
        List<BlastReport.OfFeed> held = new ArrayList<>();
        while (true) {
            Promotion promotion = new Promotion(rebuild, run);
            switch (publication.publish(promotion.addHosts(merge()), ingested, mode, held)) {
                case LayerPublication.Attempt.Done(RebuildReport report) -> {
                    logPromoted(promotion);
                    recordInputs(report, ingested, retained);
                    return report;
                }
                case LayerPublication.Attempt.AtFault(List<FeedFault> faults, List<BlastReport.OfFeed> blasts) -> {
                    held.addAll(blasts);
                    if (ingested.stream().anyMatch(feed -> feed.content() instanceof FeedOutcome.Content.InRuns)) {
                        RebuildReport report = publication.reportClosed(ingested, faults, held);
                        recordInputs(report, ingested, retained);
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

    private SortedKeys merge() throws IOException {
        run.progress().begin(RebuildStage.MERGE, "");
        LayerRun.Sorting sorting = run.sorting();
        return sorting.sort()
                .finish(
                        sorting.sources().droppedNumbers(),
                        done -> run.progress().advance(done, sorting.sort().countRecords()));
    }

    private List<FeedOutcome> withoutFaults(List<FeedOutcome> ingested, List<FeedFault> faults) throws IOException {
        Map<String, FeedFault> byFeed = faults.stream().collect(Collectors.toMap(FeedFault::feed, Function.identity()));
        List<FeedOutcome> corrected = new ArrayList<>();
        for (FeedOutcome feed : ingested) {
            Optional<FeedFault> fault =
                    Optional.ofNullable(byFeed.get(feed.feed().name()));
            corrected.add(fault.isPresent() ? ingest.readAgain(feed, fault.get()) : feed);
        }
        return corrected;
    }

    /// Records the inputs of the snapshot for the next rebuild.
    private void recordInputs(RebuildReport report, List<FeedOutcome> ingested, RetainedListings retained)
            throws IOException {
        if (mode != Rebuild.Mode.DRY_RUN) {
            boolean held = report.outcome() == RebuildOutcome.GATE_CLOSED;
            LayerInputs inputs = inputs(ingested, held);
            Optional<Instant> until = Stream.of(retained.until(), findSeedExpiry())
                    .flatMap(Optional::stream)
                    .min(Instant::compareTo);
            write(inputs.withHoldsUntil(until)
                    .withGeneration(
                            held ? inputs.generation() : report.generation().orElse("")));
        }
    }

    private Optional<Instant> findSeedExpiry() {
        Rebuild.Settings settings = rebuild.settings();
        return new FilterSeeds(settings.seedsFile(run.layer())).findExpiry();
    }

    private LayerInputs inputs(List<FeedOutcome> outcomes, boolean held) {
        return new LayerInputs(
                run.previous().generation().orElse(""),
                recipe,
                held,
                before.flatMap(LayerInputs::holdsUntil),
                outcomes.stream()
                        .map(feed -> feed.input(
                                before.flatMap(last -> last.feed(feed.feed().name()))))
                        .toList());
    }

    /// A failure is only a warning: without the file the next rebuild has more to do.
    private void write(LayerInputs inputs) {
        try {
            inputsFile().write(inputs);
        } catch (IOException e) {
            run.warn("the inputs of this rebuild are not recorded: " + e);
            LOG.warn("layer {}: the inputs of this rebuild are not recorded: {}", run.layer(), IoText.describe(e));
        }
    }
}
