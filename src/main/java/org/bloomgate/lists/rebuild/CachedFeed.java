package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.rebuild.FeedCache.Copy;

/// The last good copy of a feed, loaded when it is first needed, as its digest is verified then. A source on
/// this machine that can be read needs no copy. Not thread-safe.
final class CachedFeed {
    private final FeedCache copies;
    private final Feed feed;
    private final Instant now;
    private boolean loaded;
    private Optional<Copy> copy = Optional.empty();

    CachedFeed(FeedCache copies, Feed feed, Instant now) {
        this.copies = copies;
        this.feed = feed;
        this.now = now;
    }

    /// Empty if there is no intact copy.
    Optional<Copy> get() throws IOException {
        if (!loaded) {
            copy = copies.of(feed, now);
            loaded = true;
        }
        return copy;
    }

    /// The copy, if it was already loaded.
    Optional<Copy> ifLoaded() {
        return copy;
    }
}
