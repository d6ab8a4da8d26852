package org.bloomgate.lists.layer;

import java.time.Instant;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lookup.store.ListedFeed;

/// A source of keys in the sort: one reading of a feed, or the keys of one day that a feed's retention keeps.
///
/// @param number in the sort
/// @param match of its listings
/// @param seen when the feed was last known to have the keys
/// @param retained true if the feed no longer has them
public record KeySource(int number, Feed feed, Match match, Instant seen, boolean retained) {

    ListedFeed toListedFeed() {
        return new ListedFeed(feed.name(), feed.category(), match, feed.use());
    }
}
