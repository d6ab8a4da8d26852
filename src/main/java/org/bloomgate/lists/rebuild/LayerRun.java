package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.bloomgate.base.concurrent.TaskResult;
import org.bloomgate.lists.build.BlastRadius;
import org.bloomgate.lists.build.KeySources;
import org.bloomgate.lists.build.PreviousSnapshot;
import org.bloomgate.lists.build.RebuildClock;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lookup.store.SortedStores;

/// The state that the stages of one rebuild of one layer share.
///
/// @param feeds names of all that are configured, of whatever layer
/// @param summed those of them whose changes are summed up: one with a bound of its own on growth is evaluated
/// by that alone
/// @param stores makes and opens exact stores
/// @param recentMail read while feeds are
/// @param warnings for the report; stages append to it
record LayerRun(
        String layer,
        Set<String> feeds,
        Set<String> summed,
        PreviousSnapshot previous,
        SortedStores stores,
        PublishChecks gates,
        Future<BlastRadius> recentMail,
        ExternalSort sort,
        KeySources sources,
        RebuildClock progress,
        List<String> warnings,
        Instant now) {

    /// Asked about every listing that is new.
    ///
    /// @throws IOException when recent mail cannot be read
    BlastRadius blast() throws IOException {
        return TaskResult.of(recentMail, "recent mail was read");
    }
}
