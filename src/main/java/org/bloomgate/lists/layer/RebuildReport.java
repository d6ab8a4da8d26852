package org.bloomgate.lists.layer;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;

/// The report of a rebuild of one layer, as `--json` prints it.
///
/// @param generation of the snapshot that was built; absent if none was
/// @param closedGate why nothing was published
/// @param forced the gates that would have closed without force
/// @param changes of each feed since the previous snapshot
/// @param blast absent if no messages are recorded
/// @param warnings faults that do not affect the listings
/// @param peakHeapBytes largest heap in use during the rebuild
/// @param retro absent if not requested, if nothing was published, or if no messages are recorded
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

    /// The same report with a search of delivered messages.
    public RebuildReport with(RetroReport retroReport) {
        return with(warnings, Optional.of(retroReport));
    }

    public RebuildReport withWarning(String warning) {
        return with(addWarning(warning), retro);
    }

    private List<String> addWarning(String warning) {
        return Stream.concat(warnings.stream(), Stream.of(warning)).toList();
    }

    private RebuildReport with(List<String> allWarnings, Optional<RetroReport> retroReport) {
        return new RebuildReport(
                layer,
                outcome,
                generation,
                previousGeneration,
                closedGate,
                forced,
                startedAt,
                feeds,
                changes,
                kinds,
                proof,
                blast,
                allWarnings,
                stages,
                peakHeapBytes,
                retroReport);
    }

    /// The feeds whose content of today was not used.
    public List<FeedReport> failedFeeds() {
        return feeds.stream().filter(feed -> feed.failure().isPresent()).toList();
    }

    /// The content of the snapshot for one kind.
    ///
    /// @param keys distinct keys of all feeds
    /// @param filterBytes length of the filter file
    /// @param designRate false positive rate at capacity
    /// @param predictedRate false positive rate with the present number of keys
    /// @param added keys that are not in the previous snapshot
    /// @param removed keys that are only in the previous snapshot
    public record KindReport(
            KeyKind kind,
            long keys,
            long filterBytes,
            double designRate,
            double predictedRate,
            long added,
            long removed) {}

    /// The changes of the listings of one feed since the previous snapshot.
    ///
    /// @param before number of listings in the previous snapshot
    /// @param added listings that are not in the previous snapshot
    /// @param removed listings that are only in the previous snapshot
    /// @param retained listings that the feed no longer has and that its retention keeps
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
