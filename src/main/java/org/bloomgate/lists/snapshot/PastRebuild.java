package org.bloomgate.lists.snapshot;

import java.time.Instant;
import java.util.List;

/// The outcome of a rebuild of a layer, or a rollback.
///
/// @param time at which it ended
/// @param outcome as in its report; [#FAILED] if there is no report, [#ROLLED_BACK] or [#ROLLBACK_FAILED] for a
///     rollback
/// @param status exit status of the command
/// @param generation that was current then; empty when there was none, or it is not known
/// @param previous the generation that was current before; empty if the current generation did not change
/// @param reason why nothing was published; else empty
/// @param seconds it took
/// @param added listings that the previous generation did not contain
/// @param removed listings that only the previous generation contained
/// @param feeds that changed or failed, at most [#MAX_FEEDS]
public record PastRebuild(
        Instant time,
        String layer,
        String outcome,
        int status,
        String generation,
        String previous,
        String reason,
        double seconds,
        long added,
        long removed,
        List<FeedSummary> feeds) {
    public static final String FAILED = "failed";
    public static final String ROLLED_BACK = "rolled-back";
    public static final String ROLLBACK_FAILED = "rollback-failed";
    public static final int MAX_FEEDS = 50;

    /// A longer reason is cut.
    public static final int MAX_REASON_CHARS = 500;

    /// @param failure why the new content of the feed was not used; empty if it was
    public record FeedSummary(String feed, long added, long removed, String failure) {
        public FeedSummary {
            failure = cut(failure);
        }
    }

    public PastRebuild {
        reason = cut(reason);
        feeds = feeds.stream().limit(MAX_FEEDS).toList();
    }

    /// A rebuild that ended without a report.
    public static PastRebuild ofFailure(Instant time, String layer, int status, String reason) {
        return new PastRebuild(time, layer, FAILED, status, "", "", reason, 0, 0, 0, List.of());
    }

    public static PastRebuild ofFailedRollback(Instant time, String layer, int status, String reason) {
        return new PastRebuild(time, layer, ROLLBACK_FAILED, status, "", "", reason, 0, 0, 0, List.of());
    }

    public static PastRebuild ofRollback(Instant time, String layer, String generation, String previous) {
        return new PastRebuild(time, layer, ROLLED_BACK, 0, generation, previous, "", 0, 0, 0, List.of());
    }

    private static String cut(String text) {
        return text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS) + "..";
    }
}
