package org.bloomgate.lookup.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Predicts the listings of a key that stays from the keys before it: feeds keep their names, and a feed mostly
/// still has the entries that it had when it was read last, so that a time of sight advances equally for all of
/// them. Writer and reader of a change learn from the same listings and so predict the same. Not thread-safe.
final class ListingForecast {
    /// Times of feeds that advance together. Beyond this number nothing is learned, and each change is written.
    static final int MAX_LEARNED = 4096;

    private static final int GONE = -1;

    /// No key was seen then.
    private static final long NEVER = -1;

    /// By position in the previous store.
    private final int[] positions;

    private final Map<Seen, Long> learned = new HashMap<>();

    /// By position in the previous store, the last query and the prediction learned for it: most keys of a feed
    /// give the same query.
    private final long[] queried;

    private final long[] answered;
    private final StoredListings expected = new StoredListings();

    private record Seen(int feed, long last) {}

    /// @param before the feeds of the store before
    /// @param now those of the new one
    ListingForecast(List<ListedFeed> before, List<ListedFeed> now) {
        Map<String, Integer> byName = new HashMap<>();
        for (int i = 0; i < now.size(); i++) {
            byName.put(now.get(i).name(), i);
        }
        positions = before.stream()
                .mapToInt(feed -> byName.getOrDefault(feed.name(), GONE))
                .toArray();
        queried = new long[positions.length];
        answered = new long[positions.length];
        forgetAnswers();
    }

    private void forgetAnswers() {
        Arrays.fill(queried, NEVER);
    }

    private long lastSeen(int position, long before) {
        if (queried[position] != before) {
            queried[position] = before;
            answered[position] = learned.getOrDefault(new Seen(positions[position], before), before);
        }
        return answered[position];
    }

    /// The prediction for a key, valid until the next call; without a listing if there is none.
    StoredListings of(StoredListings before) {
        expected.clear();
        int highest = GONE;
        for (int i = 0; i < before.size(); i++) {
            int feed = positions[before.feed(i)];
            if (feed != GONE) {
                if (feed <= highest) {
                    expected.clear();
                    return expected;
                }
                long last = lastSeen(before.feed(i), before.lastSeen(i));
                expected.add(feed, before.firstSeen(i), Math.max(before.firstSeen(i), last), before.count(i));
                highest = feed;
            }
        }
        return expected;
    }

    /// Learns from a key whose listings differ from the prediction.
    void learn(StoredListings before, StoredListings now) {
        forgetAnswers();
        for (int i = 0; i < before.size(); i++) {
            int feed = positions[before.feed(i)];
            for (int k = 0; k < now.size() && learned.size() < MAX_LEARNED; k++) {
                if (now.feed(k) == feed && now.lastSeen(k) != before.lastSeen(i)) {
                    learned.putIfAbsent(new Seen(feed, before.lastSeen(i)), now.lastSeen(k));
                }
            }
        }
    }
}
