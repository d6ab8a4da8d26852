package org.bloomgate.lists.build;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;

/// The report of a rebuild of one layer, as `--json` prints it.
///
/// @param generation of the snapshot that was built; absent when it did not come so far
/// @param closedGate why nothing was published
/// @param forced the gates that would have closed and were forced open
/// @param changes feed by feed, against the snapshot before
/// @param blast absent when no message is recorded
/// @param warnings faults that do not affect the listings
/// @param peakHeapBytes largest heap in use during the rebuild
/// @param retro absent if not requested, if nothing was published or no message is recorded
public record RebuildReport(
        String layer,
        RebuildOutcome outcome,
        Optional<String> generation,
        Optional<String> previousGeneration,
        Optional<String> closedGate,
        List<String> forced,
        Instant startedAt,
        List<FeedReport> feeds,
        List<FeedChange> changes,
        List<KindReport> kinds,
        Optional<ProofReport> proof,
        Optional<BlastReport> blast,
        List<String> warnings,
        List<StageTime> stages,
        long peakHeapBytes,
        Optional<RetroReport> retro) {

    /// Time a stage took.
    public record StageTime(RebuildStage stage, double seconds) {}

    public RebuildReport {
        forced = List.copyOf(forced);
        feeds = List.copyOf(feeds);
        changes = List.copyOf(changes);
        kinds = List.copyOf(kinds);
        warnings = List.copyOf(warnings);
        stages = List.copyOf(stages);
    }

    /// The report for a layer that is not due.
    public static RebuildReport notDue(String layer, Optional<String> current, Instant now) {
        return new RebuildReport(
                layer,
                RebuildOutcome.NOT_DUE,
                Optional.empty(),
                current,
                Optional.empty(),
                List.of(),
                now,
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                0,
                Optional.empty());
    }

    /// With what a look back at delivered mail found.
    public RebuildReport with(RetroReport found) {
        return with(feeds, changes, blast, warnings, Optional.of(found));
    }

    public RebuildReport withWarning(String warning) {
        return with(feeds, changes, blast, plus(warning), retro);
    }

    private List<String> plus(String warning) {
        return Stream.concat(warnings.stream(), Stream.of(warning)).toList();
    }

    private RebuildReport with(
            List<FeedReport> ofFeeds,
            List<FeedChange> ofChanges,
            Optional<BlastReport> ofMail,
            List<String> warned,
            Optional<RetroReport> found) {
        return new RebuildReport(
                layer,
                outcome,
                generation,
                previousGeneration,
                closedGate,
                forced,
                startedAt,
                ofFeeds,
                ofChanges,
                kinds,
                proof,
                ofMail,
                warned,
                stages,
                peakHeapBytes,
                found);
    }

    /// The feeds whose content of today was not used.
    public List<FeedReport> failedFeeds() {
        return feeds.stream().filter(feed -> feed.failure().isPresent()).toList();
    }

    /// The content of the snapshot for one kind.
    ///
    /// @param keys unique ones, over all feeds
    /// @param filterBytes length of the filter file
    /// @param designRate false positive rate at capacity
    /// @param predictedRate false positive rate with the keys there are
    /// @param added keys that the snapshot before did not hold
    /// @param removed keys that only the snapshot before held
    public record KindReport(
            KeyKind kind,
            long keys,
            long filterBytes,
            double designRate,
            double predictedRate,
            long added,
            long removed) {}

    /// How the listings of one feed differ from those of the snapshot before.
    ///
    /// @param before listings of the snapshot before
    /// @param added listings the snapshot before did not hold
    /// @param removed listings that only the snapshot before held
    /// @param retained listings that the feed holds no longer and that live on, as its retention says
    /// @param addedKeys the first of those added; none of passwords
    /// @param removedKeys the first of those removed; none of passwords
    public record FeedChange(
            String feed,
            long before,
            long added,
            long removed,
            long retained,
            List<String> addedKeys,
            List<String> removedKeys) {
        public FeedChange {
            addedKeys = List.copyOf(addedKeys);
            removedKeys = List.copyOf(removedKeys);
        }
    }
}
