package org.bloomgate.decision.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bloomgate.decision.journal.MessageCounts.Counts;
import org.bloomgate.decision.journal.MessageCounts.Unit;

/// The messages of the last 14 days by hour.
///
/// @param from start of the first hour
/// @param messages by action as enforced, a count for each hour, oldest first; the last one is the current hour
public record HourTotals(Instant from, Map<String, List<Long>> messages) {

    static HourTotals of(Instant from, List<Counts> series) {
        Map<String, List<Long>> messages = new TreeMap<>();
        for (Counts one : series) {
            if (one.unit() == Unit.ENFORCED_MESSAGES && one.sum() > 0) {
                messages.merge(one.name(), one.values(), HourTotals::sums);
            }
        }
        return new HourTotals(from, messages);
    }

    private static List<Long> sums(List<Long> one, List<Long> other) {
        return IntStream.range(0, one.size())
                .mapToObj(i -> one.get(i) + other.get(i))
                .toList();
    }
}
