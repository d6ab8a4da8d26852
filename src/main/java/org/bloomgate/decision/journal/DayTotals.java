package org.bloomgate.decision.journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.decision.journal.MessageCounts.Counts;
import org.bloomgate.decision.journal.MessageCounts.Unit;

/// The totals of the last 24 hours, the current one included.
///
/// @param from start of the first hour
/// @param messages by action as enforced
/// @param feeds what was done with the messages that each feed decided; those that rejected the most come first
/// @param shadow actions that feeds in shadow mode, and listeners in shadow mode, would have caused
/// @param stages of the messages
public record DayTotals(
        Instant from,
        Map<String, Long> messages,
        List<FeedTotals> feeds,
        List<FeedTotals> shadow,
        List<StageTotals> stages) {

    /// @param feed empty where a policy, not a feed, decided; [MessageCounts#OTHER_FEEDS] for those beyond the
    ///     bound
    /// @param messages by action
    public record FeedTotals(String feed, Map<String, Long> messages) {
        private long of(String action) {
            return messages.getOrDefault(action, 0L);
        }

        private long all() {
            return messages.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    public record StageTotals(String stage, long count, double totalMillis) {}

    private static final Comparator<FeedTotals> MOST_REJECTIONS_FIRST = Comparator.<FeedTotals>comparingLong(
                    feed -> -feed.of("reject"))
            .thenComparingLong(feed -> -feed.all())
            .thenComparing(FeedTotals::feed);

    static DayTotals of(Instant from, List<Counts> series) {
        List<FeedTotals> feeds = feeds(series, Unit.ENFORCED_MESSAGES);
        Map<String, Long> messages = new TreeMap<>();
        feeds.forEach(feed -> feed.messages().forEach((action, count) -> messages.merge(action, count, Long::sum)));
        return new DayTotals(
                from,
                messages,
                feeds.stream().filter(feed -> !feed.feed().isEmpty()).toList(),
                feeds(series, Unit.SHADOW_MESSAGES),
                stages(series));
    }

    private static List<FeedTotals> feeds(List<Counts> series, Unit unit) {
        Map<String, Map<String, Long>> byFeed = new TreeMap<>();
        for (Counts one : series) {
            if (one.unit() == unit && one.sum() > 0) {
                byFeed.computeIfAbsent(one.feed(), _ -> new TreeMap<>()).put(one.name(), one.sum());
            }
        }
        List<FeedTotals> feeds = new ArrayList<>();
        byFeed.forEach((feed, messages) -> feeds.add(new FeedTotals(feed, messages)));
        feeds.sort(MOST_REJECTIONS_FIRST);
        return feeds;
    }

    private static List<StageTotals> stages(List<Counts> series) {
        Map<String, Long> runs = byStage(series, Unit.STAGE_RUNS);
        Map<String, Long> micros = byStage(series, Unit.STAGE_MICROSECONDS);
        return runs.entrySet().stream()
                .map(stage -> new StageTotals(
                        stage.getKey(), stage.getValue(), micros.getOrDefault(stage.getKey(), 0L) / 1_000.0))
                .toList();
    }

    private static Map<String, Long> byStage(List<Counts> series, Unit unit) {
        Map<String, Long> sums = new TreeMap<>();
        series.stream()
                .filter(one -> one.unit() == unit && one.sum() > 0)
                .forEach(one -> sums.put(one.name(), one.sum()));
        return sums;
    }
}
