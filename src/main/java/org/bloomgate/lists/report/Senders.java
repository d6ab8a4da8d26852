package org.bloomgate.lists.report;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.lists.report.ShadowReport.Sender;

/// The mail of each domain, and the actions it would have had. A sender is the client's own claim: these are
/// hints for a person. Used by one thread.
final class Senders {
    /// Domains counted; 40 MB of heap when all have the greatest length.
    static final int MAX = 100_000;

    /// Decisions kept whole, one a domain; some 4 MB of heap, 20 MB when all are of 4 KB.
    static final int MAX_NEWEST = 2_000;

    /// Clean messages that make a sender look honest, when they are more than those that would have been
    /// stopped.
    static final int HONEST_MAILS = 10;

    private final Map<String, Counts> domains = new HashMap<>();
    private int kept;
    private long uncounted;

    private static final class Counts {
        private final Map<String, Long> messages = new HashMap<>(4);
        private Optional<Decision> newest = Optional.empty();
        private long mails;
        private long clean;

        private boolean looksHonest() {
            long stopped = ShadowCounts.stopped(messages);
            return stopped > 0 && clean >= HONEST_MAILS && clean > stopped;
        }

        private Sender sender(String domain) {
            return new Sender(domain, mails, clean, messages, newest);
        }
    }

    void mail(String domain, boolean clean) {
        Counts counts = domains.get(domain);
        if (counts == null) {
            if (domains.size() == MAX) {
                uncounted++;
                return;
            }
            counts = new Counts();
            domains.put(domain, counts);
        }
        counts.mails++;
        counts.clean += clean ? 1 : 0;
    }

    /// @param decision the newest first
    void would(String domain, Decision decision, String action, boolean stopped) {
        Counts counts = domains.get(domain);
        if (counts == null) {
            return;
        }
        counts.messages.merge(action, 1L, Long::sum);
        if (stopped && counts.newest.isEmpty() && kept < MAX_NEWEST) {
            counts.newest = Optional.of(decision);
            kept++;
        }
    }

    /// Those with most mail that would have been stopped, or tagged.
    List<Sender> worst(int limit) {
        return ranked((_, counts) -> !counts.messages.isEmpty())
                .limit(limit)
                .map(one -> new Sender(one.domain(), one.mails(), one.clean(), one.messages(), Optional.empty()))
                .toList();
    }

    /// Senders that also send clean mail; not the null reverse-path, which no one is responsible for.
    List<Sender> honest(int limit) {
        return ranked((domain, counts) -> !domain.isEmpty() && counts.looksHonest())
                .limit(limit)
                .toList();
    }

    private Stream<Sender> ranked(BiPredicate<String, Counts> which) {
        return domains.entrySet().stream()
                .filter(one -> which.test(one.getKey(), one.getValue()))
                .map(one -> one.getValue().sender(one.getKey()))
                .sorted(Comparator.<Sender>comparingLong(sender -> -ShadowCounts.stopped(sender.messages()))
                        .thenComparingLong(sender -> -ShadowCounts.all(sender.messages()))
                        .thenComparing(Sender::domain));
    }

    long uncounted() {
        return uncounted;
    }
}
