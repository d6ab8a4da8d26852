package org.bloomgate.rebuild;

import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedCounts;
import org.bloomgate.snapshot.ManifestFeed;

/// A feed whose keys are in the sort, or that failed.
///
/// @param update of its last good copy
record FeedIntaken(Feed feed, FeedReport report, CopyUpdate update) {

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
                report.from().label(),
                report.seen(),
                counts.lines(),
                counts.entries(),
                counts.comments(),
                counts.rejects(),
                counts.held(),
                counts.keys());
    }
}
