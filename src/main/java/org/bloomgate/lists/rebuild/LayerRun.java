package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.bloomgate.base.concurrent.TaskResult;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.layer.BlastRadius;
import org.bloomgate.lists.layer.KeySources;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.layer.RebuildClock;
import org.bloomgate.lists.sort.ExternalSort;

/// The state that the stages of one rebuild of one layer share.
///
/// @param configured all feeds, of all layers
/// @param recentMail records of recent messages, read while feeds are fetched
/// @param remarks for the report
/// @param now time of the snapshot
record LayerRun(
        List<Feed> configured,
        PreviousSnapshot previous,
        Future<BlastRadius> recentMail,
        Sorting sorting,
        RebuildClock progress,
        Remarks remarks,
        Instant now) {

    /// The keys of all feeds.
    record Sorting(ExternalSort sort, KeySources sources) {}

    /// What the report says besides the results; stages add to it.
    record Remarks(ForcedGates gates, List<String> warnings) {}

    String layer() {
        return previous.layer().name();
    }

    /// Adds a warning to the report.
    void warn(String warning) {
        remarks.warnings().add(warning);
    }

    /// Names of all feeds.
    Set<String> feeds() {
        return configured.stream().map(Feed::name).collect(Collectors.toSet());
    }

    /// Names of the feeds whose changes are summed up; a feed with its own bound on growth is not among them.
    Set<String> summed() {
        return configured.stream()
                .filter(feed -> feed.bounds().maxGrowthShare().isEmpty())
                .map(Feed::name)
                .collect(Collectors.toSet());
    }

    /// The estimate of the effect of new listings; waits until recent mail is read.
    ///
    /// @throws IOException when recent mail cannot be read
    BlastRadius blast() throws IOException {
        return TaskResult.await(recentMail, "recent mail was read");
    }
}
