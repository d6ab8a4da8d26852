package org.bloomgate.lists.layer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.layer.RebuildReport.FeedChange;

/// Counts the added, removed and retained listings of each feed. Feeds are compared by name, as their positions
/// differ between two snapshots.
public final class FeedChanges {
    private final int examples;
    private final Map<String, Tally> byFeed = new TreeMap<>();

    /// @param examples number of added, and of removed, keys to report for each feed
    public FeedChanges(int examples) {
        this.examples = examples;
    }

    static final class Tally {
        private long before;
        private long added;
        private long removed;
        private long retained;
        private final List<String> addedKeys = new ArrayList<>();
        private final List<String> removedKeys = new ArrayList<>();

        /// Counts a key that the feed listed before.
        void countBefore() {
            before++;
        }

        void countRetained() {
            retained++;
        }
    }

    Tally findTally(String feed) {
        return byFeed.computeIfAbsent(feed, name -> new Tally());
    }

    /// @param bytes hold the key between the two positions
    void countAdded(Tally tally, int kindCode, byte[] bytes, int from, int to) {
        tally.added++;
        addExample(tally.addedKeys, kindCode, bytes, from, to);
    }

    /// @param bytes hold the key between the two positions
    void countRemoved(Tally tally, int kindCode, byte[] bytes, int from, int to) {
        tally.removed++;
        addExample(tally.removedKeys, kindCode, bytes, from, to);
    }

    private void addExample(List<String> keys, int kindCode, byte[] bytes, int from, int to) {
        if (keys.size() < examples) {
            KeyKind.ofWireCode(kindCode)
                    .filter(kind -> !kind.rules().isSecret())
                    .ifPresent(kind ->
                            keys.add(Key.ofBytes(kind, bytes, from, to - from).text()));
        }
    }

    /// The changes, sorted by name of the feed.
    public List<FeedChange> listChanges() {
        return byFeed.entrySet().stream()
                .map(entry -> toChange(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static FeedChange toChange(String feed, Tally tally) {
        return new FeedChange(
                feed, tally.before, tally.added, tally.removed, tally.retained, tally.addedKeys, tally.removedKeys);
    }
}
