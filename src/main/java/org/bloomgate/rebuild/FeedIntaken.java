package org.bloomgate.rebuild;

import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedCounts;
import org.bloomgate.snapshot.ManifestFeed;

/// A feed whose keys are in the sort, or that failed.
///
/// @param fetched today's file, to become the last good copy when the snapshot is published
record FeedIntaken(Feed feed, FeedReport report, Optional<Path> fetched) {

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
