package org.bloomgate.lists.build;

import java.time.Instant;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lookup.store.ListedFeed;

/// Where keys in the sort come from: one reading of a feed, or what a feed's retention keeps of one day.
///
/// @param number in the sort
/// @param seen when the feed was last known to hold the keys
/// @param retained true when the feed holds them no longer
public record KeySource(int number, Feed feed, Instant seen, boolean retained) {

    ListedFeed listed() {
        return new ListedFeed(feed.name(), feed.category(), feed.match(), feed.use());
    }
}
