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
import org.bloomgate.decision.keyjournal.Votes;
import org.bloomgate.lists.report.ShadowReport.Row;
import org.bloomgate.lookup.tier.Action;

/// Counts the actions that shadow mode only recorded. Used by one thread.
final class ShadowCounts implements ShadowScan.Reader {
    private static final Map<String, Action> ACTIONS =
            Stream.of(Action.values()).collect(Collectors.toMap(Action::label, Function.identity()));

    private final Map<String, Long> countsByAction = new HashMap<>();
    private final Map<String, Map<String, Long>> countsByFeed = new HashMap<>();
    private final Map<String, Map<String, Long>> countsByCategory = new HashMap<>();
    private final Senders senders = new Senders();

    @Override
    public void addMessage(String sender, boolean clean, Votes.Voter voter) {
        senders.addMessage(sender, clean, voter);
    }

    @Override
    public void addShadowedMessage(String sender, Decision decision) {
        Map<String, Action> byFeed = new HashMap<>();
        decision.outcome()
                .shadowed()
                .forEach((feed, label) ->
                        Optional.ofNullable(ACTIONS.get(label)).ifPresent(action -> byFeed.put(feed, action)));
        Map<String, Action> byCategory = new HashMap<>();
        byFeed.forEach((feed, action) -> {
            count(countsByFeed, feed, action);
            findCategories(decision, feed).forEach(category -> byCategory.merge(category, action, Action::atLeast));
        });
        byCategory.forEach((category, action) -> count(countsByCategory, category, action));
        byFeed.values().stream().reduce(Action::atLeast).ifPresent(strictest -> {
            countsByAction.merge(strictest.label(), 1L, Long::sum);
            senders.addShadowed(sender, decision, strictest.label(), !strictest.isDelivered());
        });
    }

    private static void count(Map<String, Map<String, Long>> counts, String name, Action action) {
        counts.computeIfAbsent(name, _ -> new HashMap<>()).merge(action.label(), 1L, Long::sum);
    }

    /// The categories of the feed's listings in the message; `{""}` if policy decided without a listing.
    private static Set<String> findCategories(Decision decision, String feed) {
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

    ShadowReport createReport(Instant since, int limit, ShadowScan.Totals totals) {
        return new ShadowReport(
                since,
                totals.mails(),
                countsByAction,
                toRows(countsByFeed),
                toRows(countsByCategory),
                senders.findWorst(limit),
                senders.findHonest(limit),
                totals.unreadable(),
                senders.uncounted(),
                totals.complete());
    }

    private static List<Row> toRows(Map<String, Map<String, Long>> countsByName) {
        return countsByName.entrySet().stream()
                .map(row -> new Row(row.getKey(), row.getValue()))
                .sorted(Comparator.<Row>comparingLong(row -> -countUndelivered(row.messages()))
                        .thenComparingLong(row -> -countAll(row.messages()))
                        .thenComparing(Row::name))
                .toList();
    }

    /// The number of messages that would not have been delivered at once.
    static long countUndelivered(Map<String, Long> countsByAction) {
        return Stream.of(Action.values())
                .filter(action -> !action.isDelivered())
                .mapToLong(action -> countsByAction.getOrDefault(action.label(), 0L))
                .sum();
    }

    static long countAll(Map<String, Long> countsByAction) {
        return countsByAction.values().stream().mapToLong(Long::longValue).sum();
    }
}
