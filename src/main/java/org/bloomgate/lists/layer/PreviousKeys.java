package org.bloomgate.lists.layer;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private final List<ListedFeed> before;
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
            List<ListedFeed> before,
            List<ListedFeed> now,
            FeedChanges changes) {
        this.store = store;
        this.walk = walk;
        this.before = before;
        this.feeds = positions(before, now);
        this.changes = changes;
        this.tallies = now.stream().map(feed -> changes.of(feed.name())).toList();
        step();
    }

    /// @param store of the previous snapshot, which is closed with this
    /// @param now the feeds of the new store; [#firstSeen] refers to their positions
    public static PreviousKeys of(SortedStore store, List<ListedFeed> now, FeedChanges changes) throws IOException {
        try {
            WalkAhead walk = new WalkAhead(store.cursor());
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

    /// The position in the previous store of each feed of the new one, by name.
    private static int[] positions(List<ListedFeed> before, List<ListedFeed> now) {
        Map<String, Integer> byName = new HashMap<>();
        for (int i = 0; i < before.size(); i++) {
            byName.put(before.get(i).name(), i);
        }
        return now.stream()
                .mapToInt(feed -> byName.getOrDefault(feed.name(), UNKNOWN_FEED))
                .toArray();
    }

    /// Moves to the next new key. Previous keys before it were removed.
    void moveTo(KeyCursor key) {
        leave();
        while (hasKey) {
            int order = walk.orElseThrow().compareTo(key);
            matches = order == 0;
            if (order >= 0) {
                break;
            }
            countRemoved();
        }
        if (!matches) {
            added[key.kindCode()]++;
        }
    }

    /// To be called after the last new key: the remaining previous keys were removed.
    void finish() {
        leave();
        while (hasKey) {
            countRemoved();
        }
    }

    /// Leaves a key that is in both snapshots.
    private void leave() {
        if (matches) {
            matches = false;
            step();
        }
    }

    private void countRemoved() {
        WalkAhead key = walk.orElseThrow();
        removed[key.kindCode()]++;
        StoredListings listings = key.stored();
        for (int i = 0; i < listings.size(); i++) {
            FeedChanges.Tally feed = changes.of(before.get(listings.feed(i)).name());
            feed.before();
            changes.removed(feed, key.kindCode(), key.bytes(), key.from(), key.to());
        }
        step();
    }

    /// If the rest of the store cannot be read, only the times of first sight are lost; the rebuild continues.
    private void step() {
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
        return before;
    }

    /// When the feed first listed the current key; `lastSeen` if it did not list it before.
    long firstSeen(int feed, long lastSeen) {
        int listing = listing(feed);
        return listing < 0
                ? lastSeen
                : Math.min(lastSeen, walk.orElseThrow().stored().firstSeen(listing));
    }

    /// The combined bits of all feeds that listed the current key before.
    ///
    /// @param bits of each feed, by its position in the previous store
    int combined(int[] bits) {
        int combined = 0;
        if (matches) {
            StoredListings listings = walk.orElseThrow().stored();
            for (int i = 0; i < listings.size(); i++) {
                combined |= bits[listings.feed(i)];
            }
        }
        return combined;
    }

    /// The position of the feed among the previous listings of the current key; -1 if it did not list the key.
    private int listing(int feed) {
        if (matches && feeds[feed] != UNKNOWN_FEED) {
            StoredListings listings = walk.orElseThrow().stored();
            for (int i = 0; i < listings.size(); i++) {
                if (listings.feed(i) == feeds[feed]) {
                    return i;
                }
            }
        }
        return -1;
    }

    /// Counts the added, removed and retained listings of the current key.
    void compare(KeyCursor key, KeyListings now) {
        int stayed = 0;
        for (int i = 0; i < now.size(); i++) {
            FeedChanges.Tally feed = tallies.get(now.feed(i));
            if (listing(now.feed(i)) >= 0) {
                stayed++;
                feed.before();
            } else {
                changes.added(feed, key.kindCode(), key.bytes(), 1, key.end());
            }
            if (now.isRetained(i)) {
                feed.retained();
            }
        }
        if (matches && stayed < walk.orElseThrow().stored().size()) {
            countRemovedListings(key, now);
        }
    }

    private void countRemovedListings(KeyCursor key, KeyListings now) {
        StoredListings listings = walk.orElseThrow().stored();
        for (int i = 0; i < listings.size(); i++) {
            if (!now.contains(listings.feed(i), feeds)) {
                FeedChanges.Tally feed = changes.of(before.get(listings.feed(i)).name());
                feed.before();
                changes.removed(feed, key.kindCode(), key.bytes(), 1, key.end());
            }
        }
    }

    long added(int kindCode) {
        return added[kindCode];
    }

    long removed(int kindCode) {
        return removed[kindCode];
    }

    @Override
    public void close() {
        walk.ifPresent(WalkAhead::close);
        store.ifPresent(SortedStore::close);
    }
}
