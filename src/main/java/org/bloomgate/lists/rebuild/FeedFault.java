package org.bloomgate.lists.rebuild;

import java.util.Set;
import org.bloomgate.core.key.Key;

/// What is wrong with a feed that only the whole layer, or the mail of the last days, could tell.
sealed interface FeedFault {

    String feed();

    /// What the report says.
    String reason();

    /// Nothing of today's content is taken.
    record Whole(String feed, String reason) implements FeedFault {}

    /// These keys are held back, the rest is taken.
    record Entries(String feed, String reason, Set<Key> keys) implements FeedFault {
        public Entries {
            keys = Set.copyOf(keys);
        }
    }
}
