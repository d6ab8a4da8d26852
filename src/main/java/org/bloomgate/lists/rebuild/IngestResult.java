package org.bloomgate.lists.rebuild;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.MaskedAddress;
import org.bloomgate.lists.fetch.Validators;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.snapshot.ManifestFeed;

/// The result of reading one feed into the sort.
///
/// @param reading of the used content; empty if there is none
/// @param update of its last good copy
record IngestResult(Feed feed, FeedReport report, Optional<FeedReading> reading, CopyUpdate update) {

    ManifestFeed manifest() {
        FeedCounts counts = report.counts();
        return new ManifestFeed(
                feed.name(),
                feed.kind(),
                feed.category(),
                feed.match(),
                feed.use(),
                feed.effect().action(),
                feed.effect().shadow(),
                feed.effect().redistribute(),
                feed.cadence().layer(),
                MaskedAddress.of(feed.source()),
                report.from().label(),
                report.seen(),
                counts.lines(),
                counts.entries(),
                counts.comments(),
                counts.rejects(),
                counts.held(),
                counts.keys(),
                reading.map(FeedReading::exceptions).orElse(List.of()));
    }

    /// The change to a feed's last good copy when the snapshot is published.
    sealed interface CopyUpdate {

        /// Today's file replaces the copy.
        ///
        /// @param fingerprint of the file
        record Replace(Path fetched, String fingerprint, Validators validators) implements CopyUpdate {}

        /// The source still has the content of the copy.
        record Confirm(FeedCache.Copy copy) implements CopyUpdate {}

        /// The copy stays as it is.
        record Leave() implements CopyUpdate {}
    }
}
