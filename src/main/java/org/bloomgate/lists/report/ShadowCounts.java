package org.bloomgate.lists.report;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.ShadowScan;
import org.bloomgate.lists.report.ShadowReport.Row;
import org.bloomgate.lookup.tier.Action;

/// Counts the actions that shadow mode only recorded. Used by one thread.
final class ShadowCounts implements ShadowScan.Reader {
    private static final Map<String, Action> ACTIONS =
            Stream.of(Action.values()).collect(Collectors.toMap(Action::label, Function.identity()));

    private final Map<String, Long> messages = new HashMap<>();
    private final Map<String, Map<String, Long>> feeds = new HashMap<>();
    private final Map<String, Map<String, Long>> categories = new HashMap<>();
    private final Senders senders = new Senders();

    @Override
    public void mail(String sender, boolean clean) {
        senders.addMessage(sender, clean);
    }

    @Override
    public void would(String sender, Decision decision) {
        Map<String, Action> byFeed = new HashMap<>();
        decision.outcome()
                .shadowed()
                .forEach((feed, label) ->
                        Optional.ofNullable(ACTIONS.get(label)).ifPresent(action -> byFeed.put(feed, action)));
        Map<String, Action> byCategory = new HashMap<>();
        byFeed.forEach((feed, action) -> {
            count(feeds, feed, action);
            categoriesOf(decision, feed).forEach(category -> byCategory.merge(category, action, Action::atLeast));
        });
        byCategory.forEach((category, action) -> count(categories, category, action));
        byFeed.values().stream().reduce(Action::atLeast).ifPresent(strictest -> {
            messages.merge(strictest.label(), 1L, Long::sum);
            senders.addShadowed(sender, decision, strictest.label(), !strictest.isDelivered());
        });
    }

    private static void count(Map<String, Map<String, Long>> rows, String name, Action action) {
        rows.computeIfAbsent(name, _ -> new HashMap<>()).merge(action.label(), 1L, Long::sum);
    }

    /// The categories of the feed's listings in the message; only `""` if a policy, not a listing, decided.
    private static Set<String> categoriesOf(Decision decision, String feed) {
        Set<String> categories = new HashSet<>();
        if (feed.equals(decision.outcome().feed())) {
            categories.add(decision.outcome().category());
        } else {
            decision.content().lookup().found().stream()
                    .filter(found -> found.feed().equals(feed))
                    .forEach(found -> categories.add(found.category()));
        }
        return categories;
    }

    ShadowReport report(Instant since, int limit, ShadowScan.Totals walked) {
        return new ShadowReport(
                since,
                walked.mails(),
                messages,
                rows(feeds),
                rows(categories),
                senders.findWorst(limit),
                senders.findHonest(limit),
                walked.unreadable(),
                senders.uncounted(),
                walked.complete());
    }

    private static List<Row> rows(Map<String, Map<String, Long>> counted) {
        return counted.entrySet().stream()
                .map(row -> new Row(row.getKey(), row.getValue()))
                .sorted(Comparator.<Row>comparingLong(row -> -stopped(row.messages()))
                        .thenComparingLong(row -> -all(row.messages()))
                        .thenComparing(Row::name))
                .toList();
    }

    /// The number of messages that would not have been delivered at once.
    static long stopped(Map<String, Long> messages) {
        return Stream.of(Action.values())
                .filter(action -> !action.isDelivered())
                .mapToLong(action -> messages.getOrDefault(action.label(), 0L))
                .sum();
    }

    static long all(Map<String, Long> messages) {
        return messages.values().stream().mapToLong(Long::longValue).sum();
    }
}
