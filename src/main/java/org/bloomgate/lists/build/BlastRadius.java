package org.bloomgate.lists.build;

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
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.decision.keyjournal.RecentMail;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lookup.store.ListedFeed;

/// Estimates how much of the last day's mail the new listings would have stopped: each of them is looked up in
/// the hashes that a gateway records of the keys of mail, while the snapshot is built.
///
/// Whether mail before that day contained these keys is looked up in older records, as far as they go. Without
/// such records, no key counts as known.
///
/// A key counts as new for the listings that are not in the previous snapshot: another feed for the same key is
/// not new, a listing with a wider effect is.
public final class BlastRadius {
    private static final Duration WINDOW = Duration.ofDays(1);

    private final RecentMail<NewListing> recent;
    private final int examples;
    private final boolean noMail;

    /// The effect of each feed, by its position in the new store and in the previous one.
    private int[] reaches = {};

    private int[] reachesBefore = {};
    private final Set<NewListing> known = new HashSet<>();

    private record NewListing(String feed, Key key) {}

    private BlastRadius(RecentMail<NewListing> recent, int examples) {
        this.recent = recent;
        this.examples = examples;
        noMail = recent.isEmpty();
    }

    /// @param examples messages to name of each feed
    /// @throws IOException when the hashes cannot be read
    public static BlastRadius onMailBefore(Instant now, KeyJournalOptions options, int examples) throws IOException {
        return new BlastRadius(RecentMail.forMany(now.minus(WINDOW), options), examples);
    }

    /// Why the figures are incomplete; empty if they are complete.
    public Optional<String> fault() {
        return recent.unreadable() == 0
                ? Optional.empty()
                : Optional.of("the records of " + recent.unreadable()
                        + " hours of recent mail are damaged or of another installation key and not asked");
    }

    /// @param now feeds of the store that is built
    /// @param before those of the store before
    void begin(List<ListedFeed> now, List<ListedFeed> before) {
        reaches = reaches(now);
        reachesBefore = reaches(before);
    }

    private static int[] reaches(List<ListedFeed> feeds) {
        return feeds.stream()
                .mapToInt(feed -> RecentMail.reach(feed.match(), feed.uses()))
                .toArray();
    }

    /// Takes the listings of a key that both cursors were moved to.
    void take(KeyCursor key, KeyListings now, PreviousKeys previous) {
        if (noMail) {
            return;
        }
        int before = previous.together(reachesBefore);
        for (int i = 0; i < now.size(); i++) {
            int added = reaches[now.feed(i)] & ~before;
            if (added != 0) {
                String feed = now.feedName(i);
                recent.note(key.kindCode(), key.bytes(), 1, key.end(), added, () -> new NewListing(feed, keyOf(key)));
            }
        }
    }

    private static Key keyOf(KeyCursor key) {
        KeyKind kind = KeyKind.ofWireCode(key.kindCode()).orElseThrow();
        return Key.ofBytes(kind, key.bytes(), 1, key.end() - 1);
    }

    /// Forgets the listings taken, for a build that begins again.
    public void forget() {
        recent.forget();
        known.clear();
    }

    /// Looks through the mail; empty when none is recorded.
    public Optional<BlastReport> report() throws IOException {
        if (noMail) {
            return Optional.empty();
        }
        recent.forEachBefore((token, delivered, listings) -> known.addAll(listings));
        Map<String, OfFeed> byFeed = new TreeMap<>();
        long[] knownMails = new long[1];
        RecentMail.Tally tally = recent.forEach((token, delivered, listings) -> {
            Set<NewListing> distinct = Set.copyOf(listings);
            knownMails[0] += distinct.stream().anyMatch(known::contains) ? 1 : 0;
            Set<String> feeds = new HashSet<>();
            for (NewListing listing : listings) {
                OfFeed feed = byFeed.computeIfAbsent(listing.feed(), name -> new OfFeed());
                if (feeds.add(listing.feed())) {
                    feed.mail(new BlastReport.Example(
                            token, delivered, listing.key().text()));
                    feed.known += isKnown(listing.feed(), distinct, Set.of()) ? 1 : 0;
                }
            }
        });
        return Optional.of(new BlastReport(
                tally.mails(),
                tally.holding(),
                knownMails[0],
                byFeed.entrySet().stream()
                        .map(entry -> entry.getValue().report(entry.getKey()))
                        .toList(),
                List.of(),
                tally.overlooked()));
    }

    /// True if a message contains a key that the feed newly lists and that earlier mail contained, except for
    /// some keys.
    private boolean isKnown(String feed, Set<NewListing> listings, Set<Key> others) {
        return listings.stream()
                .anyMatch(one -> one.feed().equals(feed) && !others.contains(one.key()) && known.contains(one));
    }

    /// The keys of a feed that earlier mail contained, those in most messages first.
    ///
    /// @param most keys to give
    public List<Key> widest(String feed, int most) throws IOException {
        Map<Key, Long> mails = new HashMap<>();
        recent.forEach((token, delivered, listings) -> Set.copyOf(listings).stream()
                .filter(one -> one.feed().equals(feed) && known.contains(one))
                .forEach(one -> mails.merge(one.key(), 1L, Long::sum)));
        return mails.entrySet().stream()
                .sorted(Map.Entry.<Key, Long>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().text()))
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Messages of the day that contain a key that the feed newly lists and that earlier mail contained,
    /// without some of its keys.
    public long knownWithout(String feed, Set<Key> keys) throws IOException {
        long[] mails = new long[1];
        recent.forEach((token, delivered, listings) -> mails[0] += isKnown(feed, Set.copyOf(listings), keys) ? 1 : 0);
        return mails[0];
    }

    private final class OfFeed {
        private long mails;
        private long known;
        private final List<BlastReport.Example> first = new ArrayList<>();

        void mail(BlastReport.Example example) {
            mails++;
            if (first.size() < examples) {
                first.add(example);
            }
        }

        BlastReport.OfFeed report(String feed) {
            return new BlastReport.OfFeed(feed, mails, known, first);
        }
    }
}
