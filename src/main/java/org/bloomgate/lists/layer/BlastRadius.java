package org.bloomgate.lists.layer;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
import org.bloomgate.decision.keyjournal.Votes;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lookup.store.ListedFeed;

/// Estimates how many messages of the last day the new listings would have stopped. While the snapshot is
/// built, each new listing is looked up in the hashes of message keys that the gateway recorded.
///
/// Older records show whether messages before that day contained these keys. Without such records, no key
/// counts as known.
///
/// A listing is new if its key was not listed in the previous snapshot, or only with a smaller effect. Another
/// feed for the same key makes no new listing.
public final class BlastRadius {
    private static final Duration WINDOW = Duration.ofDays(1);

    /// No feed has this name.
    private static final String ALL_FEEDS = "";

    private final RecentMail<NewListing> recent;
    private final int examples;
    private final boolean hasNoMail;

    /// The reach of the listings of each feed, by its position in the new store.
    private int[] reaches = {};

    /// The same by position in the previous store.

    private int[] previousReaches = {};
    private final Set<NewListing> knownListings = new HashSet<>();

    private record NewListing(String feed, Key key) {}

    private BlastRadius(RecentMail<NewListing> recent, int examples) {
        this.recent = recent;
        this.examples = examples;
        hasNoMail = recent.isEmpty();
    }

    /// @param examples number of messages to report for each feed
    /// @throws IOException when the hashes cannot be read
    public static BlastRadius onMailBefore(Instant now, KeyJournalOptions options, int examples) throws IOException {
        return new BlastRadius(RecentMail.forMany(now.minus(WINDOW), options), examples);
    }

    /// Why the figures are incomplete; empty if they are complete.
    public Optional<String> fault() {
        return recent.unreadable() == 0
                ? Optional.empty()
                : Optional.of("the records of " + recent.unreadable()
                        + " hours of recent mail are damaged or made with another installation key, and are not used");
    }

    /// @param newFeeds feeds of the store that is built
    /// @param previousFeeds feeds of the previous store
    void begin(List<ListedFeed> newFeeds, List<ListedFeed> previousFeeds) {
        reaches = computeReaches(newFeeds);
        previousReaches = computeReaches(previousFeeds);
    }

    private static int[] computeReaches(List<ListedFeed> feeds) {
        return feeds.stream()
                .mapToInt(feed -> RecentMail.reach(feed.match(), feed.uses()))
                .toArray();
    }

    /// Adds the new listings of the key that both cursors are on.
    void add(KeyCursor key, KeyListings newListings, PreviousKeys previous) {
        if (hasNoMail) {
            return;
        }
        int previousReach = previous.combineBits(previousReaches);
        for (int i = 0; i < newListings.size(); i++) {
            int addedReach = reaches[newListings.feed(i)] & ~previousReach;
            if (addedReach != 0) {
                String feed = newListings.feedName(i);
                recent.note(
                        key.kindCode(),
                        key.bytes(),
                        1,
                        key.end(),
                        addedReach,
                        () -> new NewListing(feed, readKey(key)));
            }
        }
    }

    private static Key readKey(KeyCursor key) {
        KeyKind kind = KeyKind.ofWireCode(key.kindCode()).orElseThrow();
        return Key.ofBytes(kind, key.bytes(), 1, key.end() - 1);
    }

    /// Forgets all listings, for a build that begins again.
    public void forget() {
        recent.forget();
        knownListings.clear();
    }

    /// Searches the recorded messages; empty if there are none.
    public Optional<BlastReport> report() throws IOException {
        if (hasNoMail) {
            return Optional.empty();
        }
        recent.forEachBefore((_, _, _, listings) -> knownListings.addAll(listings));
        Map<String, List<BlastReport.Example>> byFeed = new TreeMap<>();
        Votes<String> listed = new Votes<>();
        Votes<String> known = new Votes<>();
        RecentMail.Tally tally = recent.forEach((token, delivered, voter, listings) -> {
            Set<NewListing> distinct = Set.copyOf(listings);
            listed.add(ALL_FEEDS, voter);
            if (distinct.stream().anyMatch(knownListings::contains)) {
                known.add(ALL_FEEDS, voter);
            }
            Set<String> feeds = new HashSet<>();
            for (NewListing listing : listings) {
                if (feeds.add(listing.feed())) {
                    List<BlastReport.Example> first = byFeed.computeIfAbsent(listing.feed(), _ -> new ArrayList<>());
                    if (first.size() < examples) {
                        first.add(new BlastReport.Example(
                                token, delivered, listing.key().text()));
                    }
                    listed.add(listing.feed(), voter);
                    if (isKnown(listing.feed(), distinct, Set.of())) {
                        known.add(listing.feed(), voter);
                    }
                }
            }
        });
        return Optional.of(new BlastReport(
                tally.votes(),
                listed.messages(ALL_FEEDS),
                known.messages(ALL_FEEDS),
                known.voters(ALL_FEEDS),
                byFeed.entrySet().stream()
                        .map(entry -> new BlastReport.OfFeed(
                                entry.getKey(),
                                listed.messages(entry.getKey()),
                                known.messages(entry.getKey()),
                                known.voters(entry.getKey()),
                                entry.getValue()))
                        .toList(),
                List.of(),
                tally.overlooked()));
    }

    /// Whether a message contains a key that the feed newly lists and that earlier messages contained.
    ///
    /// @param listings of the message
    /// @param excepted keys that do not count
    private boolean isKnown(String feed, Set<NewListing> listings, Set<Key> excepted) {
        return listings.stream()
                .anyMatch(listing -> listing.feed().equals(feed)
                        && !excepted.contains(listing.key())
                        && knownListings.contains(listing));
    }

    /// The new keys of a feed that earlier messages contained, those with most voters first.
    ///
    /// @param limit number of keys to return
    public List<Key> mostFrequent(String feed, int limit) throws IOException {
        Votes<Key> votes = new Votes<>();
        recent.forEach((_, _, voter, listings) -> Set.copyOf(listings).stream()
                .filter(listing -> listing.feed().equals(feed) && knownListings.contains(listing))
                .forEach(listing -> votes.add(listing.key(), voter)));
        return votes.most().stream().limit(limit).toList();
    }

    /// The votes of the day, with no subject but the feed, of messages that contain a key that the feed newly lists and
    /// that earlier messages contained, without some of its keys.
    public Votes<String> knownWithout(String feed, Set<Key> keys) throws IOException {
        Votes<String> known = new Votes<>();
        recent.forEach((_, _, voter, listings) -> {
            if (isKnown(feed, Set.copyOf(listings), keys)) {
                known.add(feed, voter);
            }
        });
        return known;
    }
}
