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

        /// `LAYER/KIND`, as [org.bloomgate.lookup.lookup.FilterHits] has them.
        final Set<String> filters = new TreeSet<>();

        long entries;
        long exclusive;

        private OfFeed(String name, String category) {
            this.name = name;
            this.category = category;
        }
    }

    /// A store with the counts of its feeds, by their positions.
    ///
    /// @param kinds that each feed has there, by their wire codes
    private record Walked(String layer, StoreCursor cursor, List<OfFeed> feeds, List<BitSet> kinds) {
        /// Notes the feeds of the cursor's current key.
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

        int compareTo(Walked other) {
            return cursor.compareTo(other.cursor.kindCode(), other.cursor.bytes(), 1, other.cursor.end());
        }
    }

    /// Walks the stores from their first keys to their last.
    ///
    /// @param stores by layer
    void add(Map<String, SortedStore> stores) throws IOException {
        List<StoreCursor> open = new ArrayList<>();
        try {
            List<Walked> walked = new ArrayList<>();
            for (Map.Entry<String, SortedStore> one : stores.entrySet()) {
                SortedStore store = one.getValue();
                StoreCursor cursor = store.cursor();
                open.add(cursor);
                Walked begun = new Walked(
                        one.getKey(),
                        cursor,
                        store.feeds().stream()
                                .map(feed -> of(feed.name(), feed.category()))
                                .toList(),
                        store.feeds().stream().map(_ -> new BitSet()).toList());
                if (begun.next()) {
                    walked.add(begun);
                }
            }
            while (!walked.isEmpty()) {
                countLeast(walked);
            }
        } finally {
            open.forEach(StoreCursor::close);
        }
    }

    private OfFeed of(String name, String category) {
        return feeds.computeIfAbsent(name, _ -> new OfFeed(name, category));
    }

    /// Counts the least key of all, and moves every store that holds it on.
    private void countLeast(List<Walked> walked) throws IOException {
        Walked least = walked.getFirst();
        for (int i = 1; i < walked.size(); i++) {
            least = walked.get(i).compareTo(least) < 0 ? walked.get(i) : least;
        }
        ofKey.clear();
        List<Walked> holding = new ArrayList<>(1);
        for (Walked one : walked) {
            if (one.compareTo(least) == 0) {
                holding.add(one);
                one.noteFilters();
                for (int i = 0; i < one.cursor().stored().size(); i++) {
                    ofKey.add(one.feeds().get(one.cursor().stored().feed(i)));
                }
            }
        }
        count();
        for (Walked one : holding) {
            if (!one.next()) {
                walked.remove(one);
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
