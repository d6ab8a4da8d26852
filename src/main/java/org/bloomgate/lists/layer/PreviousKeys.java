package org.bloomgate.lists.layer;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoredListings;

/// The keys of the previous snapshot, read in parallel with the new ones in the same order. From them come the
/// time when each feed first listed a key, and the numbers of added and removed keys. Linear in time, constant
/// in memory.
public final class PreviousKeys implements AutoCloseable {
    private static final int UNKNOWN_FEED = -1;

    private final Optional<SortedStore> store;
    private final Optional<WalkAhead> walk;

    /// For each feed of the new store, its position in the previous store.
    private final int[] feeds;

    private final List<ListedFeed> previousFeeds;
    private final FeedChanges changes;

    /// Tallies by position in the new store.
    private final List<FeedChanges.Tally> tallies;

    private final long[] added = new long[256];
    private final long[] removed = new long[256];
    private Optional<String> fault = Optional.empty();

    /// Whether the walk is on a key, and not after the last one.
    private boolean hasKey;

    /// Whether that key is the new key.
    private boolean matches;

    private PreviousKeys(
            Optional<SortedStore> store,
            Optional<WalkAhead> walk,
            List<ListedFeed> previousFeeds,
            List<ListedFeed> newFeeds,
            FeedChanges changes) {
        this.store = store;
        this.walk = walk;
        this.previousFeeds = previousFeeds;
        this.feeds = findPositions(previousFeeds, newFeeds);
        this.changes = changes;
        this.tallies =
                newFeeds.stream().map(feed -> changes.findTally(feed.name())).toList();
        advance();
    }

    /// @param store of the previous snapshot, which is closed with this
    /// @param now the feeds of the new store; [#findFirstSeen] refers to their positions
    public static PreviousKeys of(SortedStore store, List<ListedFeed> now, FeedChanges changes) throws IOException {
        try {
            WalkAhead walk = new WalkAhead(store.openCursor());
            return new PreviousKeys(Optional.of(store), Optional.of(walk), store.feeds(), now, changes);
        } catch (IOException e) {
            store.close();
            throw e;
        }
    }

    /// There is no previous snapshot: every key is new.
    public static PreviousKeys none(List<ListedFeed> now, FeedChanges changes) {
        return new PreviousKeys(Optional.empty(), Optional.empty(), List.of(), now, changes);
    }

    /// The position in the previous store of each feed of the new one.
    private static int[] findPositions(List<ListedFeed> previousFeeds, List<ListedFeed> newFeeds) {
        return newFeeds.stream()
                .mapToInt(feed -> IntStream.range(0, previousFeeds.size())
                        .filter(i -> feed.continues(previousFeeds.get(i)))
                        .findFirst()
                        .orElse(UNKNOWN_FEED))
                .toArray();
    }

    /// Moves to the next new key. Previous keys before it were removed.
    void moveTo(KeyCursor key) {
        leaveKey();
        while (hasKey) {
            int order = walk.orElseThrow().compareTo(key);
            matches = order == 0;
            if (order >= 0) {
                break;
            }
            recordRemovedKey();
        }
        if (!matches) {
            added[key.kindCode()]++;
        }
    }

    /// To be called after the last new key: the remaining previous keys were removed.
    void finish() {
        leaveKey();
        while (hasKey) {
            recordRemovedKey();
        }
    }

    /// Leaves a key that is in both snapshots.
    private void leaveKey() {
        if (matches) {
            matches = false;
            advance();
        }
    }

    private void recordRemovedKey() {
        WalkAhead key = walk.orElseThrow();
        removed[key.kindCode()]++;
        StoredListings listings = key.listings();
        for (int i = 0; i < listings.size(); i++) {
            FeedChanges.Tally feed =
                    changes.findTally(previousFeeds.get(listings.feed(i)).name());
            feed.countBefore();
            changes.countRemoved(feed, key.kindCode(), key.bytes(), key.from(), key.to());
        }
        advance();
    }

    /// If the rest of the store cannot be read, only the times of first sight are lost; the rebuild continues.
    private void advance() {
        try {
            hasKey = walk.isPresent() && walk.get().next();
        } catch (IOException e) {
            hasKey = false;
            fault = Optional.of(IoText.describe(e));
        }
    }

    /// Why the walk ended early; keys after that count as new, none as removed.
    public Optional<String> fault() {
        return fault;
    }

    /// The feeds of the previous store; empty if there is no such store.
    List<ListedFeed> feeds() {
        return previousFeeds;
    }

    /// When the feed first listed the current key; `lastSeen` if it did not list it before.
    long findFirstSeen(int feed, long lastSeen) {
        int listing = findListing(feed);
        return listing < 0
                ? lastSeen
                : Math.min(lastSeen, walk.orElseThrow().listings().firstSeen(listing));
    }

    /// The combined bits of all feeds that listed the current key before.
    ///
    /// @param bits of each feed, by its position in the previous store
    int combineBits(int[] bits) {
        int combined = 0;
        if (matches) {
            StoredListings listings = walk.orElseThrow().listings();
            for (int i = 0; i < listings.size(); i++) {
                combined |= bits[listings.feed(i)];
            }
        }
        return combined;
    }

    /// The position of the feed among the previous listings of the current key; -1 if it did not list the key.
    private int findListing(int feed) {
        if (matches && feeds[feed] != UNKNOWN_FEED) {
            StoredListings listings = walk.orElseThrow().listings();
            for (int i = 0; i < listings.size(); i++) {
                if (listings.feed(i) == feeds[feed]) {
                    return i;
                }
            }
        }
        return -1;
    }

    /// Counts the added, removed and retained listings of the current key.
    void compare(KeyCursor key, KeyListings newListings) {
        int stayedCount = 0;
        for (int i = 0; i < newListings.size(); i++) {
            FeedChanges.Tally feed = tallies.get(newListings.feed(i));
            if (findListing(newListings.feed(i)) >= 0) {
                stayedCount++;
                feed.countBefore();
            } else {
                changes.countAdded(feed, key.kindCode(), key.bytes(), 1, key.end());
            }
            if (newListings.isRetained(i)) {
                feed.countRetained();
            }
        }
        if (matches && stayedCount < walk.orElseThrow().listings().size()) {
            countRemovedListings(key, newListings);
        }
    }

    private void countRemovedListings(KeyCursor key, KeyListings newListings) {
        StoredListings listings = walk.orElseThrow().listings();
        for (int i = 0; i < listings.size(); i++) {
            if (!newListings.contains(listings.feed(i), feeds)) {
                FeedChanges.Tally feed =
                        changes.findTally(previousFeeds.get(listings.feed(i)).name());
                feed.countBefore();
                changes.countRemoved(feed, key.kindCode(), key.bytes(), 1, key.end());
            }
        }
    }

    long countAdded(int kindCode) {
        return added[kindCode];
    }

    long countRemoved(int kindCode) {
        return removed[kindCode];
    }

    @Override
    public void close() {
        walk.ifPresent(WalkAhead::close);
        store.ifPresent(SortedStore::close);
    }
}
