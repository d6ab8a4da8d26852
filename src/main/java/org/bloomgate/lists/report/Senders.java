package org.bloomgate.lists.report;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.keyjournal.Votes;
import org.bloomgate.lists.report.ShadowReport.Sender;

/// Counts the messages of each sender domain, and the actions that would have been taken. The client chooses
/// the sender, so these are only hints for a person. Used by one thread.
final class Senders {
    /// The number of domains that are counted; 40 MB of heap if all have the greatest length.
    static final int MAX = 100_000;

    /// The number of whole decisions that are stored, one per domain; about 4 MB of heap, or 20 MB if each has
    /// 4 KB.
    static final int MAX_NEWEST = 2_000;

    /// A sender looks honest with this many clean messages, if they are more than the messages that would have
    /// been stopped. Messages of one client network to the same recipients count once.
    static final int HONEST_MAILS = 10;

    private final Map<String, Counts> domains = new HashMap<>();
    private final Votes<String> clean = new Votes<>();
    private int newestCount;
    private long uncounted;

    private static final class Counts {
        private final Map<String, Long> messages = new HashMap<>(4);
        private Optional<Decision> newest = Optional.empty();
        private long mails;
        private long clean;

        private boolean looksHonest(long votes) {
            long stopped = ShadowCounts.countUndelivered(messages);
            return stopped > 0 && votes >= HONEST_MAILS && votes > stopped;
        }

        private Sender sender(String domain) {
            return new Sender(domain, mails, clean, messages, newest);
        }
    }

    void addMessage(String domain, boolean isClean, Votes.Voter voter) {
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
        if (isClean) {
            counts.clean++;
            clean.add(domain, voter);
        }
    }

    /// @param decision the newest one is passed first
    void addShadowed(String domain, Decision decision, String action, boolean stopped) {
        Counts counts = domains.get(domain);
        if (counts == null) {
            return;
        }
        counts.messages.merge(action, 1L, Long::sum);
        if (stopped && counts.newest.isEmpty() && newestCount < MAX_NEWEST) {
            counts.newest = Optional.of(decision);
            newestCount++;
        }
    }

    /// The senders with most messages that would have been stopped, or tagged.
    List<Sender> findWorst(int limit) {
        return rank((_, counts) -> !counts.messages.isEmpty())
                .limit(limit)
                .map(sender -> new Sender(
                        sender.domain(), sender.mails(), sender.clean(), sender.messages(), Optional.empty()))
                .toList();
    }

    /// The senders that also send clean messages; not the null reverse-path, which belongs to no one.
    List<Sender> findHonest(int limit) {
        return rank((domain, counts) -> !domain.isEmpty() && counts.looksHonest(clean.messages(domain)))
                .limit(limit)
                .toList();
    }

    private Stream<Sender> rank(BiPredicate<String, Counts> filter) {
        return domains.entrySet().stream()
                .filter(domain -> filter.test(domain.getKey(), domain.getValue()))
                .map(domain -> domain.getValue().sender(domain.getKey()))
                .sorted(Comparator.<Sender>comparingLong(sender -> -ShadowCounts.countUndelivered(sender.messages()))
                        .thenComparingLong(sender -> -ShadowCounts.countAll(sender.messages()))
                        .thenComparing(Sender::domain));
    }

    long uncounted() {
        return uncounted;
    }
}
