package org.bloomgate.rebuild;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a rebuild of one layer did, as `--json` prints it.
///
/// @param generation of the snapshot that was built; absent when it did not come so far
/// @param closedGate why nothing was published
/// @param forced the gates that would have closed and were forced open
/// @param changes feed by feed, against the snapshot before
/// @param blast absent when no mail is recorded
/// @param warnings what went wrong without a consequence for what is listed
/// @param peakHeapBytes largest heap in use during the rebuild
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
        long peakHeapBytes) {

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

    /// The feeds of which today's content was not taken.
    public List<FeedReport> failedFeeds() {
        return feeds.stream().filter(feed -> feed.failure().isPresent()).toList();
    }
}
