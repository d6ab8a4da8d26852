package org.bloomgate.lists.layer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.sort.SortBuffer;

/// The sources of all keys in the sort. Each attempt to read a feed is a source of its own, so that the keys of
/// a failed attempt are excluded by its number.
public final class KeySources {
    private final List<KeySource> sources = new ArrayList<>();
    private final BitSet droppedNumbers = new BitSet();

    /// Adds a source for the keys read from today's content of the feed, or its last good copy.
    public KeySource addRead(Feed feed, Instant seen) {
        return addRead(feed, feed.match(), seen);
    }

    /// The same for keys with another match than that of the feed.
    public KeySource addRead(Feed feed, Match match, Instant seen) {
        return add(feed, match, seen, false);
    }

    /// Adds a source for retained keys that the feed last had at `seen`. It comes after all read sources: if a
    /// key has both, the first one counts.
    public KeySource addRetained(Feed feed, Match match, Instant seen) {
        return add(feed, match, seen, true);
    }

    private KeySource add(Feed feed, Match match, Instant seen, boolean retained) {
        KeySource source = new KeySource(sources.size(), feed, match, seen, retained);
        sources.add(source);
        return source;
    }

    /// The number of the next source.
    public int nextNumber() {
        return sources.size();
    }

    /// Excludes all keys of the source.
    public void drop(KeySource source) {
        droppedNumbers.set(source.number());
    }

    public BitSet droppedNumbers() {
        return droppedNumbers;
    }

    /// The sources that were not dropped, in order of their numbers.
    public List<KeySource> listValid() {
        return sources.stream()
                .filter(source -> !droppedNumbers.get(source.number()))
                .toList();
    }

    public boolean isFull() {
        return sources.size() > SortBuffer.MAX_SOURCE;
    }
}
