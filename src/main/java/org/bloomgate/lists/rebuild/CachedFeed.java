package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.rebuild.FeedCache.Copy;

/// The last good copy of a feed. All of it is read to see that it is whole, so it is looked for when it is first
/// needed: a source on this machine that gives its content needs none. Not thread-safe.
final class CachedFeed {
    private final FeedCache copies;
    private final Feed feed;
    private final Instant now;
    private boolean queried;
    private Optional<Copy> found = Optional.empty();

    CachedFeed(FeedCache copies, Feed feed, Instant now) {
        this.copies = copies;
        this.feed = feed;
        this.now = now;
    }

    /// Empty if there is no intact copy.
    Optional<Copy> get() throws IOException {
        if (!queried) {
            found = copies.of(feed, now);
            queried = true;
        }
        return found;
    }

    /// The same, if it was already read.
    Optional<Copy> seen() {
        return found;
    }
}
