package org.bloomgate.lists.build;

import java.util.Arrays;
import java.util.List;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lists.sort.SortBuffer;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.StoredListings;

/// The listings of one key: its sources, with one left of each feed. Reused from key to key. Not thread-safe.
final class KeyListings {
    private final List<ListedFeed> feeds;

    /// Feeds by number of the source.
    private final int[] feedOf = new int[SortBuffer.MAX_SOURCE + 1];

    private final long[] seen = new long[SortBuffer.MAX_SOURCE + 1];
    private final boolean[] retained = new boolean[SortBuffer.MAX_SOURCE + 1];

    /// Positions among the key's sources, in order of their feeds.
    private int[] chosen = new int[4];

    private int[] sources = new int[4];
    private int size;

    /// @param sources those whose keys are in the sort, in order of their numbers
    /// @param feeds of the store; each has at least one source
    KeyListings(List<KeySource> sources, List<ListedFeed> feeds) {
        this.feeds = feeds;
        for (KeySource source : sources) {
            feedOf[source.number()] = feeds.indexOf(source.listed());
            seen[source.number()] = source.seen().getEpochSecond();
            retained[source.number()] = source.retained();
        }
    }

    /// Takes the key's sources. They ascend, so the first of a feed is what was read today, if anything was.
    void take(KeyCursor key) {
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
        if (size == chosen.length) {
            chosen = Arrays.copyOf(chosen, size * 2);
            sources = Arrays.copyOf(sources, size * 2);
        }
        System.arraycopy(chosen, at, chosen, at + 1, size - at);
        System.arraycopy(sources, at, sources, at + 1, size - at);
        chosen[at] = position;
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

    /// @param key that was taken last
    long count(KeyCursor key, int listing) {
        return key.count(chosen[listing]);
    }

    /// Whether a feed, by its position in the store before, lists the key.
    ///
    /// @param before the position in the store before of each feed of the store
    boolean holds(int feed, int[] before) {
        for (int i = 0; i < size; i++) {
            if (before[feed(i)] == feed) {
                return true;
            }
        }
        return false;
    }

    /// Replaces what is stored of the key that was taken last.
    void store(KeyCursor key, PreviousKeys previous, StoredListings into) {
        into.clear();
        for (int i = 0; i < size; i++) {
            into.add(feed(i), previous.firstSeen(feed(i), lastSeen(i)), lastSeen(i), count(key, i));
        }
    }
}
