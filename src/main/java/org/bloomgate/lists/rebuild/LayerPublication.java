package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.bloomgate.core.bloom.FilterFullException;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.layer.BlastReport;
import org.bloomgate.lists.layer.FeedChanges;
import org.bloomgate.lists.layer.FilterPlan;
import org.bloomgate.lists.layer.FilterSeeds;
import org.bloomgate.lists.layer.HashFiles;
import org.bloomgate.lists.layer.LayerBuild;
import org.bloomgate.lists.layer.PastHashes;
import org.bloomgate.lists.layer.PreviousKeys;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.layer.Proof;
import org.bloomgate.lists.layer.ProofReport;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.RebuildReport.KindReport;
import org.bloomgate.lists.layer.RebuildStage;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotWriter;
import org.bloomgate.lists.sort.SortedKeys;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.SortedStore;

/// The second half of a [Rebuild]: from sorted keys to a current snapshot, or to the reason why there is none.
final class LayerPublication {
    private final Rebuild.Settings settings;
    private final RebuildOptions options;
    private final Rebuild.Tools tools;
    private final FeedCache copies;
    private final Optional<SigningKey> signingKey;
    private final LayerRun run;

    LayerPublication(Rebuild rebuild, FeedCache copies, Optional<SigningKey> signingKey, LayerRun run) {
        this.settings = rebuild.settings();
        this.options = settings.options();
        this.tools = rebuild.tools();
        this.copies = copies;
        this.signingKey = signingKey;
        this.run = run;
    }

    /// The result of an attempt to publish.
    sealed interface Attempt {

        /// The rebuild ended, with or without a snapshot.
        record Done(RebuildReport report) implements Attempt {}

        /// Nothing was published. Without these faults of feeds, the next attempt may be.
        record AtFault(List<FeedFault> faults, List<BlastReport.OfFeed> blasts) implements Attempt {}
    }

    /// How filters are made. Seeds and manifests are public, so a list can contain keys that a filter with the
    /// current seed cannot hold. No list can know the next seed, and the two-line layout accepts any keys.
    private enum Filters {
        PLANNED,
        OTHER_SEEDS,
        TWO_LINES
    }

    /// @param held the messages that feeds would have stopped which were at fault in earlier attempts
    Attempt publish(SortedKeys keys, List<FeedOutcome> ingested, Rebuild.Mode mode, List<BlastReport.OfFeed> held)
            throws IOException {
        for (Filters filters : List.of(Filters.PLANNED, Filters.OTHER_SEEDS)) {
            try {
                return publish(keys, ingested, mode, held, filters);
            } catch (FilterFullException full) {
                run.warn("a filter could not be made (" + full.getMessage() + "): made again with "
                        + (filters == Filters.PLANNED ? "another seed" : "the two-line layout"));
            }
        }
        return publish(keys, ingested, mode, held, Filters.TWO_LINES);
    }

    private Attempt publish(
            SortedKeys keys,
            List<FeedOutcome> ingested,
            Rebuild.Mode mode,
            List<BlastReport.OfFeed> held,
            Filters filtersMode)
            throws IOException {
        run.blast().forget();
        Draft draft = new Draft(ingested, held);
        boolean retires = ingested.isEmpty() && run.previous().listsFeeds();
        if (keys.keys() == 0 && !retires) {
            return draft.report(RebuildOutcome.GATE_CLOSED, Optional.of("no feed gave a key"));
        }
        try (SnapshotWriter snapshot = SnapshotWriter.begin(settings.snapshots(), run.layer(), run.now())) {
            draft.generation = Optional.of(snapshot.generation());
            FilterSeeds seeds = new FilterSeeds(settings.seedsFile(run.layer()));
            if (filtersMode != Filters.PLANNED) {
                seeds.forget();
            }

            run.progress().begin(RebuildStage.BUILD, "");
            LayerBuild build = new LayerBuild(
                    keys,
                    run.sorting().sources().listValid(),
                    filtersMode == Filters.TWO_LINES ? planFilters(keys).withTwoLines() : planFilters(keys),
                    options,
                    chooseSeeds(seeds, keys),
                    new HashFiles(new PastHashes(run.previous().layer()), options),
                    run.progress());
            draft.kinds = write(build, snapshot, draft);
            draft.blast = run.blast().report();
            run.blast().fault().ifPresent(run::warn);
            List<FeedFault> faults =
                    new FeedFaults(options, run).find(ingested, draft.changes.listChanges(), draft.blast);
            if (!faults.isEmpty()) {
                return new Attempt.AtFault(faults, draft.blastOf(faults));
            }

            run.progress().begin(RebuildStage.PROVE, "");
            ProofReport proof = new Proof(keys, build.listings()).test(snapshot, run.progress());
            draft.proof = Optional.of(proof);
            if (!proof.holds()) {
                return draft.report(RebuildOutcome.GATE_CLOSED, Optional.of("proof failed: " + proof.describe()));
            }
            Optional<String> closed = new SnapshotGates(
                            options, tools.suffixes(), run.remarks().gates())
                    .findClosed(snapshot.exactDirectory(), draft.changes.listChanges(), draft.blast, run);
            if (closed.isPresent()) {
                return draft.report(RebuildOutcome.GATE_CLOSED, closed);
            }
            if (mode == Rebuild.Mode.DRY_RUN) {
                return draft.report(
                        draft.noneFailed() ? RebuildOutcome.DRY_RUN : RebuildOutcome.DRY_RUN_WITH_FAILED_FEEDS,
                        Optional.empty());
            }
            publishToShared(snapshot, keys.keys());
            run.progress().begin(RebuildStage.PUBLISH, "");
            seeds.write();
            signingKey.ifPresent(snapshot::signWith);
            snapshot.publish(ingested.stream().map(FeedOutcome::manifest).toList(), proof.filterKeys());
            retireShared(snapshot);
            prune(snapshot);
            updateCopies(ingested);
            return draft.report(
                    draft.noneFailed() ? RebuildOutcome.PUBLISHED : RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS,
                    Optional.empty());
        }
    }

    private FilterPlan planFilters(SortedKeys keys) throws IOException {
        ToLongFunction<KeyKind> byKind = kind -> keys.keys(kind.wireCode());
        if (settings.filters().memory() == 0) {
            return FilterPlan.byRates(byKind);
        }
        long share = computeMemoryShare(keys.keys());
        FilterPlan plan = FilterPlan.within(share, byKind);
        if (plan.countBytes() > share) {
            run.warn("filters.memory leaves " + share + " bytes to this layer, whose filters need " + plan.countBytes()
                    + " even at a rate of one half");
        }
        return plan;
    }

    /// The layer's part of the memory for all, by the number of keys.
    private long computeMemoryShare(long keys) throws IOException {
        long others = 0;
        for (LayerDirectory layer : LayerDirectory.listAll(settings.snapshots())) {
            if (!layer.name().equals(run.layer())) {
                others += PreviousSnapshot.of(layer)
                        .manifest()
                        .map(SnapshotManifest::countEntries)
                        .orElse(0L);
            }
        }
        return (long) (settings.filters().memory() * ((double) keys / (keys + others)));
    }

    private ToLongFunction<KeyKind> chooseSeeds(FilterSeeds seeds, SortedKeys keys) {
        return kind -> seeds.choose(kind, keys.keys(kind.wireCode()), run.now(), tools.seeds());
    }

    private List<KindReport> write(LayerBuild build, SnapshotWriter snapshot, Draft draft) throws IOException {
        snapshot.writeSuffixes(tools.suffixes());
        try (PreviousKeys before = openPreviousKeys(build.listedFeeds(), draft.changes)) {
            List<KindReport> kinds = build.write(snapshot, before, run.blast());
            before.fault().ifPresent(this::warnOfPrevious);
            return kinds;
        }
    }

    private PreviousKeys openPreviousKeys(List<ListedFeed> feeds, FeedChanges changes) {
        Optional<Path> exact = run.previous().exactDirectory();
        if (exact.isEmpty()) {
            return PreviousKeys.none(feeds, changes);
        }
        try {
            return PreviousKeys.of(SortedStore.open(exact.get()), feeds, changes);
        } catch (IOException e) {
            warnOfPrevious(String.valueOf(e.getMessage()));
            return PreviousKeys.none(feeds, changes);
        }
    }

    private void warnOfPrevious(String fault) {
        run.warn(PreviousSnapshot.warning(fault));
    }

    private void publishToShared(SnapshotWriter snapshot, long entries) throws IOException {
        if (tools.shared().isPresent()) {
            run.progress().begin(RebuildStage.SHARE, "");
            tools.shared()
                    .get()
                    .publish(
                            new ExactPublisher.Built(
                                    run.layer(), snapshot.generation(), snapshot.exactDirectory(), entries),
                            run.progress()::advance);
        }
    }

    /// A failure is only a warning, as the snapshot is current: the shared store keeps an old generation until
    /// the next rebuild deletes it.
    private void retireShared(SnapshotWriter snapshot) {
        if (tools.shared().isPresent()) {
            try {
                tools.shared().get().retireOthers(run.layer(), snapshot.generation());
            } catch (IOException e) {
                run.warn("an old generation is not retired: " + e.getMessage());
            }
        }
    }

    /// A failure is only a warning, as the snapshot is current: an old generation stays until the next rebuild.
    private void prune(SnapshotWriter snapshot) {
        try {
            new PastHashes(run.previous().layer()).update();
            snapshot.prune(options.keepGenerations());
        } catch (IOException e) {
            run.warn("an old generation is not deleted: " + e);
        }
    }

    /// The report if the current snapshot is confirmed and none is built.
    RebuildReport reportConfirmed(List<FeedOutcome> ingested) {
        updateCopies(ingested);
        Draft draft = new Draft(ingested, List.of());
        return draft.report(
                        draft.noneFailed() ? RebuildOutcome.UNCHANGED : RebuildOutcome.UNCHANGED_WITH_FAILED_FEEDS,
                        Optional.empty())
                .report();
    }

    /// The report if feeds are at fault that were read into runs, so that no entry can be held back.
    RebuildReport reportClosed(List<FeedOutcome> ingested, List<FeedFault> faults, List<BlastReport.OfFeed> held) {
        String why = faults.stream()
                .map(fault -> "feed " + fault.feed() + ": " + fault.reason())
                .collect(Collectors.joining("; "));
        return new Draft(ingested, held)
                .report(
                        RebuildOutcome.GATE_CLOSED,
                        Optional.of(why + "; a rebuild that reads the feeds itself holds back the entries at fault"))
                .report();
    }

    /// A failure is only a warning, as the snapshot is current: the older copy stays.
    void updateCopies(List<FeedOutcome> ingested) {
        for (FeedOutcome feed : ingested) {
            try {
                feed.updateCopy(copies, run.now());
            } catch (IOException e) {
                run.warn("feed " + feed.feed().name() + ": its last good copy is not stored: " + e);
            }
        }
        try {
            copies.deleteAllBut(run.feeds());
        } catch (IOException e) {
            run.warn("the last good copy of a removed feed is not deleted: " + e);
        }
    }

    /// The report, filled in step by step.
    private final class Draft {
        private final List<FeedOutcome> ingested;
        private final List<BlastReport.OfFeed> held;
        private final FeedChanges changes = new FeedChanges(options.examples());
        private Optional<String> generation = Optional.empty();
        private List<KindReport> kinds = List.of();
        private Optional<ProofReport> proof = Optional.empty();
        private Optional<BlastReport> blast = Optional.empty();

        Draft(List<FeedOutcome> ingested, List<BlastReport.OfFeed> held) {
            this.ingested = ingested;
            this.held = List.copyOf(held);
        }

        List<BlastReport.OfFeed> blastOf(List<FeedFault> faults) {
            Set<String> names = faults.stream().map(FeedFault::feed).collect(Collectors.toSet());
            return blast.stream()
                    .flatMap(report -> report.feeds().stream())
                    .filter(feed -> names.contains(feed.feed()) && feed.known() > 0)
                    .toList();
        }

        boolean noneFailed() {
            return ingested.stream().allMatch(feed -> feed.failure().isEmpty());
        }

        Attempt.Done report(RebuildOutcome outcome, Optional<String> closedGate) {
            return new Attempt.Done(new RebuildReport(
                    run.layer(),
                    outcome,
                    generation,
                    run.previous().generation(),
                    closedGate,
                    run.remarks().gates().opened(),
                    run.now(),
                    ingested.stream().map(FeedOutcome::report).toList(),
                    changes.listChanges(),
                    kinds,
                    proof,
                    blast.map(report -> report.withHeld(held)),
                    run.remarks().warnings().stream().distinct().toList(),
                    run.progress().listStages(),
                    run.progress().peakHeapBytes(),
                    Optional.empty()));
        }
    }
}
