package org.bloomgate.lists.layer;

import java.util.Arrays;
import java.util.List;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lists.sort.SortBuffer;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.StoredListings;

/// The listings of one key, one per feed and match. Reused from key to key. Not thread-safe.
final class KeyListings {
    private final List<ListedFeed> feeds;

    /// Feeds by number of the source.
    private final int[] feedPositions = new int[SortBuffer.MAX_SOURCE + 1];

    private final long[] lastSeenSeconds = new long[SortBuffer.MAX_SOURCE + 1];
    private final boolean[] retainedSources = new boolean[SortBuffer.MAX_SOURCE + 1];

    /// For each feed with [Match#BELOW], the position of the same feed with a match that includes it; -1 if there is
    /// none.
    private final int[] wider;

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
            feedPositions[source.number()] = feeds.indexOf(source.toListedFeed());
            lastSeenSeconds[source.number()] = source.seen().getEpochSecond();
            retainedSources[source.number()] = source.retained();
        }
        wider = feeds.stream().mapToInt(feed -> findWider(feed, feeds)).toArray();
    }

    private static int findWider(ListedFeed feed, List<ListedFeed> feeds) {
        return feed.match() != Match.BELOW
                ? -1
                : feeds.indexOf(new ListedFeed(feed.name(), feed.category(), Match.SUFFIX, feed.uses()));
    }

    /// Replaces the listings by those of a key. Sources ascend, so the first source of a feed is the content
    /// read today, if there is any. A listing that another one of the feed includes is left out.
    void set(KeyCursor key) {
        size = 0;
        for (int i = 0; i < key.countSources(); i++) {
            int feed = feedPositions[key.source(i)];
            int index = size;
            while (index > 0 && feed(index - 1) > feed) {
                index--;
            }
            if (index == 0 || feed(index - 1) != feed) {
                insert(index, i, key.source(i));
            }
        }
        for (int i = size - 1; i >= 0; i--) {
            if (wider[feed(i)] >= 0 && lists(wider[feed(i)])) {
                remove(i);
            }
        }
    }

    private boolean lists(int feed) {
        int index = 0;
        while (index < size && feed(index) != feed) {
            index++;
        }
        return index < size;
    }

    private void remove(int index) {
        size--;
        System.arraycopy(positions, index + 1, positions, index, size - index);
        System.arraycopy(sources, index + 1, sources, index, size - index);
    }

    private void insert(int index, int position, int source) {
        if (size == positions.length) {
            positions = Arrays.copyOf(positions, size * 2);
            sources = Arrays.copyOf(sources, size * 2);
        }
        System.arraycopy(positions, index, positions, index + 1, size - index);
        System.arraycopy(sources, index, sources, index + 1, size - index);
        positions[index] = position;
        sources[index] = source;
        size++;
    }

    int size() {
        return size;
    }

    /// Position of the feed in the store.
    int feed(int listing) {
        return feedPositions[sources[listing]];
    }

    String feedName(int listing) {
        return feeds.get(feed(listing)).name();
    }

    /// In seconds since 1970.
    long lastSeen(int listing) {
        return lastSeenSeconds[sources[listing]];
    }

    boolean isRetained(int listing) {
        return retainedSources[sources[listing]];
    }

    /// @param key of the listings
    long count(KeyCursor key, int listing) {
        return key.count(positions[listing]);
    }

    /// Whether a feed of the previous store lists the key.
    ///
    /// @param feed its position in the previous store
    /// @param previousPositions for each feed of the store, its position in the previous store
    boolean contains(int feed, int[] previousPositions) {
        for (int i = 0; i < size; i++) {
            if (previousPositions[feed(i)] == feed) {
                return true;
            }
        }
        return false;
    }

    /// Writes the listings in their stored form.
    void store(KeyCursor key, PreviousKeys previous, StoredListings target) {
        target.clear();
        for (int i = 0; i < size; i++) {
            target.add(feed(i), previous.findFirstSeen(feed(i), lastSeen(i)), lastSeen(i), count(key, i));
        }
    }
}
