package org.bloomgate.lookup.tier;

import java.util.ArrayList;
import java.util.List;

/// The positives of one filter among the keys of one lookup.
///
/// @param filter `LAYER/KIND`, as in `nightly/domain`
/// @param suspects keys for which the exact tier was queried
/// @param refuted the suspects that the exact tier does not contain: false positives of the filter
public record FilterHits(String filter, int suspects, int refuted) {

    FilterHits and(FilterHits other) {
        return new FilterHits(filter, suspects + other.suspects, refuted + other.refuted);
    }

    /// The hits of both lists, each filter once.
    static List<FilterHits> merge(List<FilterHits> some, List<FilterHits> others) {
        if (some.isEmpty() || others.isEmpty()) {
            return some.isEmpty() ? others : some;
        }
        List<FilterHits> all = new ArrayList<>(some);
        others.forEach(more -> add(more, all));
        return all;
    }

    /// Adds hits to those of the same filter.
    static void add(FilterHits more, List<FilterHits> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).filter.equals(more.filter)) {
                all.set(i, all.get(i).and(more));
                return;
            }
        }
        all.add(more);
    }
}
