package org.bloomgate.lists.layer;

import java.util.Arrays;
import java.util.List;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lists.sort.SortBuffer;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.StoredListings;

/// The listings of one key, one per feed. Reused from key to key. Not thread-safe.
final class KeyListings {
    private final List<ListedFeed> feeds;

    /// Feeds by number of the source.
    private final int[] feedOf = new int[SortBuffer.MAX_SOURCE + 1];

    private final long[] seen = new long[SortBuffer.MAX_SOURCE + 1];
    private final boolean[] retained = new boolean[SortBuffer.MAX_SOURCE + 1];

    /// For each listing, the position of its source among the sources of the key.
    private int[] positions = new int[4];

    /// For each listing, the number of its source.
    private int[] sources = new int[4];
    private int size;

    /// @param sources of the sorted keys, in order of their numbers
    /// @param feeds of the store; each has at least one source
    KeyListings(List<KeySource> sources, List<ListedFeed> feeds) {
        this.feeds = feeds;
        for (KeySource source : sources) {
            feedOf[source.number()] = feeds.indexOf(source.listed());
            seen[source.number()] = source.seen().getEpochSecond();
            retained[source.number()] = source.retained();
        }
    }

    /// Replaces the listings by those of a key. Sources ascend, so the first source of a feed is the content
    /// read today, if there is any.
    void set(KeyCursor key) {
        size = 0;
        for (int i = 0; i < key.sources(); i++) {
            int feed = feedOf[key.source(i)];
            int at = size;
            while (at > 0 && feed(at - 1) > feed) {
                at--;
            }
            if (at == 0 || feed(at - 1) != feed) {
                insert(at, i, key.source(i));
            }
        }
    }

    private void insert(int at, int position, int source) {
        if (size == positions.length) {
            positions = Arrays.copyOf(positions, size * 2);
            sources = Arrays.copyOf(sources, size * 2);
        }
        System.arraycopy(positions, at, positions, at + 1, size - at);
        System.arraycopy(sources, at, sources, at + 1, size - at);
        positions[at] = position;
        sources[at] = source;
        size++;
    }

    int size() {
        return size;
    }

    /// Position of the feed in the store.
    int feed(int listing) {
        return feedOf[sources[listing]];
    }

    String feedName(int listing) {
        return feeds.get(feed(listing)).name();
    }

    /// In seconds since 1970.
    long lastSeen(int listing) {
        return seen[sources[listing]];
    }

    boolean isRetained(int listing) {
        return retained[sources[listing]];
    }

    /// @param key of the listings
    long count(KeyCursor key, int listing) {
        return key.count(positions[listing]);
    }

    /// Whether a feed of the previous store lists the key.
    ///
    /// @param feed its position in the previous store
    /// @param before for each feed of the store, its position in the previous store
    boolean contains(int feed, int[] before) {
        for (int i = 0; i < size; i++) {
            if (before[feed(i)] == feed) {
                return true;
            }
        }
        return false;
    }

    /// Writes the listings in their stored form.
    void store(KeyCursor key, PreviousKeys previous, StoredListings into) {
        into.clear();
        for (int i = 0; i < size; i++) {
            into.add(feed(i), previous.firstSeen(feed(i), lastSeen(i)), lastSeen(i), count(key, i));
        }
    }
}
