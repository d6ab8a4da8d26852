package org.bloomgate.lists.rebuild;

import java.util.Set;
import org.bloomgate.core.key.Key;

/// A fault of a feed that becomes visible only in the whole layer, or in the mail of the last days.
sealed interface FeedFault {

    String feed();

    /// The reason in the report.
    String reason();

    /// Today's content is rejected.
    record Whole(String feed, String reason) implements FeedFault {}

    /// These keys are held back, the rest is accepted.
    record Entries(String feed, String reason, Set<Key> keys) implements FeedFault {
        public Entries {
            keys = Set.copyOf(keys);
        }
    }
}
