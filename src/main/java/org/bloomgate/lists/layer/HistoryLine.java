package org.bloomgate.lists.layer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.lists.layer.RebuildReport.FeedChange;
import org.bloomgate.lists.layer.RebuildReport.StageTime;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.PastRebuild.FeedSummary;

/// The history record of a report: the totals, and the feeds that failed or changed, the most changed first.
public final class HistoryLine {
    private HistoryLine() {}

    /// @param now at which the rebuild ended
    public static PastRebuild of(RebuildReport report, Instant now) {
        return new PastRebuild(
                now,
                report.layer(),
                report.outcome().label(),
                report.outcome().exitStatus(),
                report.generation().or(report::previousGeneration).orElse(""),
                report.generation().isPresent() ? report.previousGeneration().orElse("") : "",
                report.closedGate().orElse(""),
                report.stages().stream().mapToDouble(StageTime::seconds).sum(),
                report.changes().stream().mapToLong(FeedChange::added).sum(),
                report.changes().stream().mapToLong(FeedChange::removed).sum(),
                listFeeds(report));
    }

    private static List<FeedSummary> listFeeds(RebuildReport report) {
        Map<String, FeedSummary> feeds = new HashMap<>();
        for (FeedChange change : report.changes()) {
            if (change.added() + change.removed() > 0) {
                feeds.put(change.feed(), new FeedSummary(change.feed(), change.added(), change.removed(), ""));
            }
        }
        for (FeedReport feed : report.failedFeeds()) {
            FeedSummary summary = feeds.getOrDefault(feed.name(), new FeedSummary(feed.name(), 0, 0, ""));
            feeds.put(
                    feed.name(),
                    new FeedSummary(
                            summary.feed(),
                            summary.added(),
                            summary.removed(),
                            feed.failure().orElse("")));
        }
        List<FeedSummary> summaries = new ArrayList<>(feeds.values());
        summaries.sort(Comparator.comparing((FeedSummary feed) -> feed.failure().isEmpty())
                .thenComparingLong(feed -> -feed.added() - feed.removed())
                .thenComparing(FeedSummary::feed));
        return summaries;
    }
}
