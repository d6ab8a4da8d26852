package org.bloomgate.lookup.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What becomes of the listings of a key that stays, as far as the keys before it tell: feeds keep their names, and
/// most of what a feed held when it was read before it holds still, so that a time seen moves on for all alike. Both
/// sides of a change learn from the same listings, and so expect the same. Not thread-safe.
final class ListingForecast {
    /// Times of feeds that move on together. Beyond them nothing is learned, and each change is said.
    static final int MAX_LEARNED = 4096;

    private static final int GONE = -1;

    /// No key was seen then.
    private static final long NEVER = -1;

    /// By position before.
    private final int[] positions;

    private final Map<Seen, Long> learned = new HashMap<>();

    /// By position before what was asked last, and what was learned of it: most keys of a feed ask the same.
    private final long[] asked;

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
        asked = new long[positions.length];
        answered = new long[positions.length];
        forgetAnswers();
    }

    private void forgetAnswers() {
        Arrays.fill(asked, NEVER);
    }

    private long lastSeen(int position, long before) {
        if (asked[position] != before) {
            asked[position] = before;
            answered[position] = learned.getOrDefault(new Seen(positions[position], before), before);
        }
        return answered[position];
    }

    /// What is expected of a key, until the next question; without a listing when nothing can be.
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

    /// Learns from a key of which something else was expected.
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
