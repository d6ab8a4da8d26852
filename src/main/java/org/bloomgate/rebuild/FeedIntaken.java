package org.bloomgate.rebuild;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.exact.ListedFeed;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedCounts;
import org.bloomgate.snapshot.ManifestFeed;

/// A feed whose keys are in the sort, or that failed.
///
/// @param source its number in the sort; [#NO_SOURCE] when it gave nothing
/// @param seen when the feed was fetched: what its listings were last seen at
/// @param fetched today's file, to become the last good copy when the snapshot is published
record FeedIntaken(Feed feed, int source, FeedReport report, Instant seen, Optional<Path> fetched) {
    static final int NO_SOURCE = -1;

    boolean gaveKeys() {
        return source != NO_SOURCE;
    }

    ListedFeed listed() {
        return new ListedFeed(feed.name(), feed.category(), feed.match(), feed.use());
    }

    ManifestFeed manifest() {
        FeedCounts counts = report.counts();
        return new ManifestFeed(
                feed.name(),
                feed.kind(),
                feed.category(),
                feed.match(),
                feed.use(),
                feed.cadence().layer(),
                feed.source(),
                counts.lines(),
                counts.entries(),
                counts.comments(),
                counts.rejects(),
                counts.held(),
                counts.keys());
    }
}
