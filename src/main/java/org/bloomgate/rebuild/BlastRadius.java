package org.bloomgate.rebuild;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.exact.ListedFeed;
import org.bloomgate.journal.KeyJournalOptions;
import org.bloomgate.journal.RecentMail;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.sort.KeyCursor;

/// Finds out how much of the last day's mail the listings that are new would have stopped: each of them is asked of
/// the hashes that a gateway keeps of the keys of mail, while the snapshot is built.
///
/// A key counts as new in what its listing adds to those of the snapshot before: another feed for the same key is no
/// news, a listing that reaches further is.
final class BlastRadius {
    private static final Duration WINDOW = Duration.ofDays(1);

    private final RecentMail<NewListing> recent;
    private final int examples;
    private final Map<ListedFeed, Integer> reaches = new HashMap<>();

    private record NewListing(String feed, String key) {}

    private BlastRadius(RecentMail<NewListing> recent, int examples) {
        this.recent = recent;
        this.examples = examples;
    }

    /// @param examples mails to name of each feed
    /// @throws IOException when the hashes cannot be read
    static BlastRadius onMailBefore(Instant now, KeyJournalOptions options, int examples) throws IOException {
        return new BlastRadius(RecentMail.since(now.minus(WINDOW), options), examples);
    }

    /// What keeps it from telling all; empty when nothing does.
    Optional<String> fault() {
        return recent.unreadable() == 0
                ? Optional.empty()
                : Optional.of("the records of " + recent.unreadable()
                        + " hours of recent mail are damaged or of another installation key and not asked");
    }

    /// Takes the listings of a key that both cursors were moved to.
    void take(KeyCursor key, KeyListings now, PreviousKeys previous) {
        if (recent.isEmpty()) {
            return;
        }
        int before = 0;
        for (ListedFeed feed : previous.listedBy()) {
            before |= reach(feed);
        }
        for (int i = 0; i < now.size(); i++) {
            int added = reach(now.listed(i)) & ~before;
            if (added != 0) {
                String feed = now.feedName(i);
                recent.note(key.kindCode(), key.octets(), 1, key.end(), added, () -> new NewListing(feed, textOf(key)));
            }
        }
    }

    private int reach(ListedFeed feed) {
        return reaches.computeIfAbsent(feed, of -> RecentMail.reach(of.match(), of.uses()));
    }

    private static String textOf(KeyCursor key) {
        KeyKind kind = KeyKind.ofWireCode(key.kindCode()).orElseThrow();
        return Key.ofOctets(kind, key.octets(), 1, key.end() - 1).text();
    }

    /// Looks through the mail; empty when none is recorded.
    Optional<BlastReport> report() throws IOException {
        if (recent.isEmpty()) {
            return Optional.empty();
        }
        Map<String, OfFeed> byFeed = new TreeMap<>();
        RecentMail.Tally tally = recent.forEach((token, delivered, listings) -> {
            Set<String> counted = new HashSet<>();
            for (NewListing listing : listings) {
                OfFeed feed = byFeed.computeIfAbsent(listing.feed(), name -> new OfFeed());
                if (counted.add(listing.feed())) {
                    feed.mail(new BlastReport.Example(token, delivered, listing.key()));
                }
            }
        });
        return Optional.of(new BlastReport(
                tally.mails(),
                tally.holding(),
                byFeed.entrySet().stream()
                        .map(entry ->
                                new BlastReport.OfFeed(entry.getKey(), entry.getValue().mails, entry.getValue().first))
                        .toList(),
                tally.overlooked()));
    }

    private final class OfFeed {
        private long mails;
        private final List<BlastReport.Example> first = new ArrayList<>();

        void mail(BlastReport.Example example) {
            mails++;
            if (first.size() < examples) {
                first.add(example);
            }
        }
    }
}
