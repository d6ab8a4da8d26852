package org.bloomgate.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.bloomgate.exact.ListedFeed;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.snapshot.LayerDirectory;
import org.bloomgate.snapshot.SnapshotRefusedException;
import org.bloomgate.snapshot.SnapshotWriter;

/// Second half of a [Rebuild]: from sorted keys to a snapshot that is current, or to the reason why not.
final class LayerPublication {
    private final Path snapshots;
    private final String layer;
    private final RebuildOptions options;
    private final PublicSuffixes suffixes;
    private final LastGoodCopies copies;
    private final RandomGenerator random;
    private final StageClock progress;
    private final List<String> warnings = new ArrayList<>();

    LayerPublication(
            Path snapshots,
            String layer,
            RebuildOptions options,
            PublicSuffixes suffixes,
            LastGoodCopies copies,
            RandomGenerator random,
            StageClock progress) {
        this.snapshots = snapshots;
        this.layer = layer;
        this.options = options;
        this.suffixes = suffixes;
        this.copies = copies;
        this.random = random;
        this.progress = progress;
    }

    RebuildReport publish(SortedKeys keys, List<FeedIntaken> intaken, Instant now, Rebuild.Mode mode)
            throws IOException {
        Draft draft = new Draft(intaken, now);
        if (keys.keys() == 0) {
            return draft.report(RebuildOutcome.GATE_CLOSED, Optional.of("no feed gave a key"));
        }
        List<FeedIntaken> giving =
                intaken.stream().filter(FeedIntaken::gaveKeys).toList();
        try (SnapshotWriter snapshot = SnapshotWriter.begin(snapshots, layer, now)) {
            draft.generation = Optional.of(snapshot.generation());
            draft.previous = previous();
            FilterSeeds seeds = FilterSeeds.read(snapshots.resolve(".seeds").resolve(layer));

            progress.begin(Stage.BUILD, "");
            draft.kinds = build(keys, giving, snapshot, draft.previous, seeds, now);

            progress.begin(Stage.PROVE, "");
            ProofReport proof = new Proof(keys, giving).ask(snapshot, progress);
            draft.proof = Optional.of(proof);
            if (!proof.holds()) {
                return draft.report(RebuildOutcome.GATE_CLOSED, Optional.of("proof failed: " + proof.inWords()));
            }
            if (mode == Rebuild.Mode.DRY_RUN) {
                return draft.report(
                        draft.allGood() ? RebuildOutcome.DRY_RUN : RebuildOutcome.DRY_RUN_WITH_FAILED_FEEDS,
                        Optional.empty());
            }
            progress.begin(Stage.PUBLISH, "");
            seeds.write();
            snapshot.publish(intaken.stream().map(FeedIntaken::manifest).toList(), proof.filterKeys());
            prune(snapshot);
            keepCopies(intaken, now);
            return draft.report(
                    draft.allGood() ? RebuildOutcome.PUBLISHED : RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS,
                    Optional.empty());
        }
    }

    /// A pointer that cannot be read must not keep a snapshot from being published that repairs it.
    private Optional<String> previous() throws IOException {
        try {
            return new LayerDirectory(snapshots, layer).current();
        } catch (SnapshotRefusedException e) {
            warnOfPrevious(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private List<KindReport> build(
            SortedKeys keys,
            List<FeedIntaken> giving,
            SnapshotWriter snapshot,
            Optional<String> previous,
            FilterSeeds seeds,
            Instant now)
            throws IOException {
        LayerBuild build = new LayerBuild(
                keys, giving, options, kind -> seeds.of(kind, now, options.seedLifetime(), random), progress);
        snapshot.suffixes(suffixes);
        try (PreviousKeys before = previousKeys(previous, build.listedFeeds())) {
            List<KindReport> kinds = build.write(snapshot, before);
            before.fault().ifPresent(this::warnOfPrevious);
            return kinds;
        }
    }

    private PreviousKeys previousKeys(Optional<String> generation, List<ListedFeed> feeds) {
        if (generation.isEmpty()) {
            return PreviousKeys.none();
        }
        try {
            return PreviousKeys.open(new LayerDirectory(snapshots, layer).exactDirectory(generation.get()), feeds);
        } catch (IOException e) {
            warnOfPrevious(String.valueOf(e.getMessage()));
            return PreviousKeys.none();
        }
    }

    private void warnOfPrevious(String fault) {
        warnings.add("the snapshot before cannot be read whole, times of first sight begin anew: " + fault);
    }

    /// The snapshot is current already: what fails here costs disk, and the next rebuild tries again.
    private void prune(SnapshotWriter snapshot) {
        try {
            snapshot.prune(options.keepGenerations());
        } catch (IOException e) {
            warnings.add("an old generation is not deleted: " + e);
        }
    }

    /// The snapshot is current already: what fails here costs a copy that is a day older, and no more.
    private void keepCopies(List<FeedIntaken> intaken, Instant now) {
        for (FeedIntaken feed : intaken) {
            try {
                if (feed.fetched().isPresent()) {
                    copies.keep(feed.feed(), feed.fetched().get(), now);
                }
            } catch (IOException e) {
                warnings.add("feed " + feed.feed().name() + ": its last good copy is not kept: " + e);
            }
        }
    }

    /// The report as far as it is known.
    private final class Draft {
        private final List<FeedIntaken> intaken;
        private final Instant startedAt;
        private Optional<String> generation = Optional.empty();
        private Optional<String> previous = Optional.empty();
        private List<KindReport> kinds = List.of();
        private Optional<ProofReport> proof = Optional.empty();

        Draft(List<FeedIntaken> intaken, Instant startedAt) {
            this.intaken = intaken;
            this.startedAt = startedAt;
        }

        boolean allGood() {
            return intaken.stream().allMatch(feed -> feed.report().failure().isEmpty());
        }

        RebuildReport report(RebuildOutcome outcome, Optional<String> closedGate) {
            return new RebuildReport(
                    layer,
                    outcome,
                    generation,
                    previous,
                    closedGate,
                    startedAt,
                    intaken.stream().map(FeedIntaken::report).toList(),
                    kinds,
                    proof,
                    warnings,
                    progress.stages(),
                    progress.peakHeapBytes());
        }
    }
}
