package org.bloomgate.lists.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreCursor;

/// The entries of feeds, counted in one pass over all stores in parallel. Used by one thread.
final class EntryCounts {
    private final Map<String, OfFeed> feeds = new TreeMap<>();
    private final List<OfFeed> ofKey = new ArrayList<>();

    /// The counts of one feed.
    static final class OfFeed {
        final String name;
        final String category;
        final Map<String, Long> overlap = new TreeMap<>();

        /// `LAYER/KIND`, as in [org.bloomgate.lookup.tier.FilterHits].
        final Set<String> filters = new TreeSet<>();

        long entries;
        long exclusive;

        private OfFeed(String name, String category) {
            this.name = name;
            this.category = category;
        }
    }

    /// A pass over one store, with the counts of its feeds by their positions.
    ///
    /// @param kinds wire codes of the kinds that each feed has in the store
    private record StoreWalk(String layer, StoreCursor cursor, List<OfFeed> feeds, List<BitSet> kinds) {
        /// Records the filters of the feeds of the current key.
        void noteFilters() {
            for (int i = 0; i < cursor.stored().size(); i++) {
                int feed = cursor.stored().feed(i);
                if (!kinds.get(feed).get(cursor.kindCode())) {
                    kinds.get(feed).set(cursor.kindCode());
                    KeyKind.ofWireCode(cursor.kindCode())
                            .ifPresent(known -> feeds.get(feed).filters.add(layer + "/" + known.label()));
                }
            }
        }

        boolean next() throws IOException {
            return cursor.next();
        }

        int compareTo(StoreWalk other) {
            return cursor.compareTo(other.cursor.kindCode(), other.cursor.bytes(), 1, other.cursor.end());
        }
    }

    /// Counts all keys of the stores.
    ///
    /// @param stores by layer
    void add(Map<String, SortedStore> stores) throws IOException {
        List<StoreCursor> open = new ArrayList<>();
        try {
            List<StoreWalk> walks = new ArrayList<>();
            for (Map.Entry<String, SortedStore> layer : stores.entrySet()) {
                SortedStore store = layer.getValue();
                StoreCursor cursor = store.openCursor();
                open.add(cursor);
                StoreWalk walk = new StoreWalk(
                        layer.getKey(),
                        cursor,
                        store.feeds().stream()
                                .map(feed -> of(feed.name(), feed.category()))
                                .toList(),
                        store.feeds().stream().map(_ -> new BitSet()).toList());
                if (walk.next()) {
                    walks.add(walk);
                }
            }
            while (!walks.isEmpty()) {
                countLeast(walks);
            }
        } finally {
            open.forEach(StoreCursor::close);
        }
    }

    private OfFeed of(String name, String category) {
        return feeds.computeIfAbsent(name, _ -> new OfFeed(name, category));
    }

    /// Counts the least key of all stores, and moves the stores that contain it to their next key.
    private void countLeast(List<StoreWalk> walks) throws IOException {
        StoreWalk least = walks.getFirst();
        for (int i = 1; i < walks.size(); i++) {
            least = walks.get(i).compareTo(least) < 0 ? walks.get(i) : least;
        }
        ofKey.clear();
        List<StoreWalk> atLeast = new ArrayList<>(1);
        for (StoreWalk walk : walks) {
            if (walk.compareTo(least) == 0) {
                atLeast.add(walk);
                walk.noteFilters();
                for (int i = 0; i < walk.cursor().stored().size(); i++) {
                    ofKey.add(walk.feeds().get(walk.cursor().stored().feed(i)));
                }
            }
        }
        count();
        for (StoreWalk walk : atLeast) {
            if (!walk.next()) {
                walks.remove(walk);
            }
        }
    }

    private void count() {
        for (OfFeed feed : ofKey) {
            feed.entries++;
            feed.exclusive += ofKey.size() == 1 ? 1 : 0;
            for (OfFeed other : ofKey) {
                if (!other.name.equals(feed.name)) {
                    feed.overlap.merge(other.name, 1L, Long::sum);
                }
            }
        }
    }

    Map<String, OfFeed> feeds() {
        return feeds;
    }
}
