package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.bloomgate.base.concurrent.TaskResult;
import org.bloomgate.lists.layer.BlastRadius;
import org.bloomgate.lists.layer.KeySources;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.layer.RebuildClock;
import org.bloomgate.lists.sort.ExternalSort;

/// The state that the stages of one rebuild of one layer share.
///
/// @param feeds names of all configured feeds, of all layers
/// @param summed names of the feeds whose changes are summed up; a feed with its own bound on growth is not
///     among them
/// @param recentMail records of recent messages, read while feeds are fetched
/// @param warnings for the report; stages append to it
record LayerRun(
        String layer,
        Set<String> feeds,
        Set<String> summed,
        PreviousSnapshot previous,
        ForcedGates gates,
        Future<BlastRadius> recentMail,
        ExternalSort sort,
        KeySources sources,
        RebuildClock progress,
        List<String> warnings,
        Instant now) {

    /// The estimate of the effect of new listings; waits until recent mail is read.
    ///
    /// @throws IOException when recent mail cannot be read
    BlastRadius blast() throws IOException {
        return TaskResult.of(recentMail, "recent mail was read");
    }
}
