package org.bloomgate.lists.rebuild;

import java.time.Duration;
import java.util.Set;

/// What a rebuild of a layer builds from, and whether it builds at all.
public sealed interface RebuildPlan {

    /// The use of the snapshot after it was built and proven.
    default Rebuild.Mode mode() {
        return Rebuild.Mode.PUBLISH;
    }

    /// The time to wait for another rebuild of the layer to end.
    default Duration timeout() {
        return Duration.ZERO;
    }

    /// Builds from the feeds, whether the layer is due or not.
    ///
    /// @param feeds to fetch, while the others are read from their last good copies; empty for all
    record FromFeeds(Set<String> feeds, Rebuild.Mode mode) implements RebuildPlan {
        public FromFeeds {
            feeds = Set.copyOf(feeds);
        }
    }

    /// Builds from the feeds if the layer is due. Publishes a snapshot if it would differ from the current one;
    /// otherwise renews the age of the current one.
    record IfDue(Duration timeout) implements RebuildPlan {}

    /// Builds from runs instead of the feeds. The snapshot is the same as that of a rebuild which reads the
    /// feeds at the time of the runs.
    record FromRuns(Runs runs, Rebuild.Mode mode) implements RebuildPlan {}
}
