package org.bloomgate.decision.journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.decision.journal.PastDay.Kept;
import org.bloomgate.decision.journal.PastDay.Of;

/// The last 24 hours, for a reader.
///
/// @param from start of the first minute
/// @param messages by action as enforced
/// @param feeds what was done with the mail each of them decided; those that refused the most come first
/// @param shadow actions that feeds in shadow mode, and listeners in shadow mode, would have caused
/// @param stages of mail
public record DayTotals(
        Instant from,
        Map<String, Long> messages,
        List<FeedTotals> feeds,
        List<FeedTotals> shadow,
        List<StageTotals> stages) {

    /// @param feed empty where a policy, not a feed, decided; [PastDay#OTHER_FEEDS] for those beyond the bound
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

    private static final Comparator<FeedTotals> WORST_FIRST = Comparator.<FeedTotals>comparingLong(
                    feed -> -feed.of("reject"))
            .thenComparingLong(feed -> -feed.all())
            .thenComparing(FeedTotals::feed);

    static DayTotals of(Instant from, List<Kept> series) {
        Map<String, Long> messages = new TreeMap<>();
        for (Kept one : series) {
            if (one.of() == Of.DONE && sum(one) > 0) {
                messages.merge(one.word(), sum(one), Long::sum);
            }
        }
        return new DayTotals(
                from,
                messages,
                feeds(series, Of.DONE).stream()
                        .filter(feed -> !feed.feed().isEmpty())
                        .toList(),
                feeds(series, Of.WOULD),
                stages(series));
    }

    private static List<FeedTotals> feeds(List<Kept> series, Of of) {
        Map<String, Map<String, Long>> byFeed = new TreeMap<>();
        for (Kept one : series) {
            if (one.of() == of && sum(one) > 0) {
                byFeed.computeIfAbsent(one.feed(), _ -> new TreeMap<>()).put(one.word(), sum(one));
            }
        }
        List<FeedTotals> feeds = new ArrayList<>();
        byFeed.forEach((feed, messages) -> feeds.add(new FeedTotals(feed, messages)));
        feeds.sort(WORST_FIRST);
        return feeds;
    }

    private static List<StageTotals> stages(List<Kept> series) {
        Map<String, Long> counts = byStage(series, Of.STAGE_COUNT);
        Map<String, Long> micros = byStage(series, Of.STAGE_MICROS);
        return counts.entrySet().stream()
                .map(stage -> new StageTotals(
                        stage.getKey(), stage.getValue(), micros.getOrDefault(stage.getKey(), 0L) / 1_000.0))
                .toList();
    }

    private static Map<String, Long> byStage(List<Kept> series, Of of) {
        Map<String, Long> sums = new TreeMap<>();
        series.stream().filter(one -> one.of() == of && sum(one) > 0).forEach(one -> sums.put(one.word(), sum(one)));
        return sums;
    }

    private static long sum(Kept series) {
        return series.values().stream().mapToLong(Long::longValue).sum();
    }
}
