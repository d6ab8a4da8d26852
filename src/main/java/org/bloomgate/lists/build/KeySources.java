package org.bloomgate.lists.build;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.sort.SortBuffer;

/// The sources of all keys in the sort. Each attempt to read a feed is a source of its own, so that the keys of one
/// that failed half way are left out by their number.
public final class KeySources {
    private final List<KeySource> all = new ArrayList<>();
    private final BitSet dropped = new BitSet();

    /// A source that the feed of today, or its last good copy, is read into.
    public KeySource read(Feed feed, Instant seen) {
        return add(feed, seen, false);
    }

    /// A source of keys that the feed was last known to hold at `seen`. Comes after all that are read: where a key
    /// has both, the first counts.
    public KeySource retained(Feed feed, Instant seen) {
        return add(feed, seen, true);
    }

    private KeySource add(Feed feed, Instant seen, boolean retained) {
        KeySource source = new KeySource(all.size(), feed, seen, retained);
        all.add(source);
        return source;
    }

    /// The number of the source made next.
    public int next() {
        return all.size();
    }

    /// Makes all keys of the source void.
    public void drop(KeySource source) {
        dropped.set(source.number());
    }

    public BitSet dropped() {
        return dropped;
    }

    /// Those that were not dropped, in order of their numbers.
    public List<KeySource> valid() {
        return all.stream().filter(source -> !dropped.get(source.number())).toList();
    }

    public boolean isFull() {
        return all.size() > SortBuffer.MAX_SOURCE;
    }
}
