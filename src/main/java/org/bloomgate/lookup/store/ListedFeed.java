package org.bloomgate.lookup.store;

import java.util.Set;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;

/// The properties that all listings of one feed share; a stored listing refers to them by position in the
/// store's [FeedDictionary].
public record ListedFeed(String name, String category, Match match, Set<Use> uses) {
    public ListedFeed {
        uses = Set.copyOf(uses);
    }
}
