package org.bloomgate.lookup.store;

import java.util.Set;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;

/// The properties that all listings of one feed with one match share; a stored listing refers to them by position in
/// the store's [FeedDictionary]. A feed with entries that list only the names below a domain is there twice.
public record ListedFeed(String name, String category, Match match, Set<Use> uses) {
    public ListedFeed {
        uses = Set.copyOf(uses);
    }

    /// Whether an earlier store has the same listings under this feed. A feed may list names and the names below
    /// others; its setting of `match` may have changed.
    public boolean continues(ListedFeed earlier) {
        return name.equals(earlier.name) && (match == Match.BELOW) == (earlier.match == Match.BELOW);
    }
}
