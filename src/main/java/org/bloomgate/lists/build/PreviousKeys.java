package org.bloomgate.lists.build;

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

/// The keys of the previous snapshot, read in parallel with the new ones in the same order: the time of first
/// sight of each key in a feed, and the numbers of added and removed keys. Linear in time, constant in memory.
public final class PreviousKeys implements AutoCloseable {
    private static final int UNKNOWN_FEED = -1;

    private final Optional<SortedStore> store;
    private final Optional<WalkAhead> walk;
    private final int[] feeds;
    private final List<ListedFeed> before;
    private final FeedChanges changes;

    /// Tallies by position in the new store.
    private final List<FeedChanges.Tally> tallies;

    private final long[] added = new long[256];
    private final long[] removed = new long[256];
    private Optional<String> fault = Optional.empty();
    private boolean listedBy;
    private boolean here;

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

    /// @param store of the snapshot before, which is closed with this
    /// @param now the feeds of the new store, whose positions [#firstSeen] takes
    public static PreviousKeys of(SortedStore store, List<ListedFeed> now, FeedChanges changes) throws IOException {
        try {
            WalkAhead walk = new WalkAhead(store.cursor());
            return new PreviousKeys(Optional.of(store), Optional.of(walk), store.feeds(), now, changes);
        } catch (IOException e) {
            store.close();
            throw e;
        }
    }

    /// There was no snapshot: every key is new.
    public static PreviousKeys none(List<ListedFeed> now, FeedChanges changes) {
        return new PreviousKeys(Optional.empty(), Optional.empty(), List.of(), now, changes);
    }

    /// Position in the store before of each feed of the new one, by name.
    private static int[] positions(List<ListedFeed> before, List<ListedFeed> now) {
        Map<String, Integer> byName = new HashMap<>();
        for (int i = 0; i < before.size(); i++) {
            byName.put(before.get(i).name(), i);
        }
        return now.stream()
                .mapToInt(feed -> byName.getOrDefault(feed.name(), UNKNOWN_FEED))
                .toArray();
    }

    /// Moves on to a new key, which is after the one before; keys that are passed over were removed.
    void moveTo(KeyCursor key) {
        leave();
        while (listedBy) {
            int order = walk.orElseThrow().compareTo(key);
            here = order == 0;
            if (order >= 0) {
                break;
            }
            passOver();
        }
        if (!here) {
            added[key.kindCode()]++;
        }
    }

    /// After the last new key: what is left was removed.
    void finish() {
        leave();
        while (listedBy) {
            passOver();
        }
    }

    /// The matched key is in both snapshots.
    private void leave() {
        if (here) {
            here = false;
            step();
        }
    }

    private void passOver() {
        WalkAhead gone = walk.orElseThrow();
        removed[gone.kindCode()]++;
        StoredListings listings = gone.stored();
        for (int i = 0; i < listings.size(); i++) {
            FeedChanges.Tally feed = changes.of(before.get(listings.feed(i)).name());
            feed.before();
            changes.removed(feed, gone.kindCode(), gone.bytes(), gone.from(), gone.to());
        }
        step();
    }

    /// A store that cannot be read on costs the times of first sight, not the rebuild.
    private void step() {
        try {
            listedBy = walk.isPresent() && walk.get().next();
        } catch (IOException e) {
            listedBy = false;
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

    /// Since when the feed has held the key moved to; `lastSeen` when it did not hold it before.
    long firstSeen(int feed, long lastSeen) {
        int listing = listing(feed);
        return listing < 0
                ? lastSeen
                : Math.min(lastSeen, walk.orElseThrow().stored().firstSeen(listing));
    }

    /// The bits of all feeds that listed the key moved to.
    ///
    /// @param bits of each feed, by its position in the store before
    int together(int[] bits) {
        int together = 0;
        if (here) {
            StoredListings listings = walk.orElseThrow().stored();
            for (int i = 0; i < listings.size(); i++) {
                together |= bits[listings.feed(i)];
            }
        }
        return together;
    }

    /// The position of the feed among the listings of the current key; -1 if it does not list the key.
    private int listing(int feed) {
        if (here && feeds[feed] != UNKNOWN_FEED) {
            StoredListings listings = walk.orElseThrow().stored();
            for (int i = 0; i < listings.size(); i++) {
                if (listings.feed(i) == feeds[feed]) {
                    return i;
                }
            }
        }
        return -1;
    }

    /// Counts how the listings of the key moved to differ from those it had.
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
        if (here && stayed < walk.orElseThrow().stored().size()) {
            removedOf(key, now);
        }
    }

    private void removedOf(KeyCursor key, KeyListings now) {
        StoredListings listings = walk.orElseThrow().stored();
        for (int i = 0; i < listings.size(); i++) {
            if (!now.holds(listings.feed(i), feeds)) {
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
