package org.bloomgate.lookup.tier;

import java.util.ArrayList;
import java.util.List;

/// The positives of one filter among the keys of one lookup.
///
/// @param filter `LAYER/KIND`, as in `nightly/domain`
/// @param suspects keys for which the exact tier was queried
/// @param refuted of them, those that it does not hold: false positives of the filter
public record FilterHits(String filter, int suspects, int refuted) {

    FilterHits and(FilterHits other) {
        return new FilterHits(filter, suspects + other.suspects, refuted + other.refuted);
    }

    /// Each filter once.
    static List<FilterHits> together(List<FilterHits> some, List<FilterHits> others) {
        if (some.isEmpty() || others.isEmpty()) {
            return some.isEmpty() ? others : some;
        }
        List<FilterHits> all = new ArrayList<>(some);
        others.forEach(use -> add(use, all));
        return all;
    }

    /// Adds one more to those of its filter.
    static void add(FilterHits use, List<FilterHits> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).filter.equals(use.filter)) {
                all.set(i, all.get(i).and(use));
                return;
            }
        }
        all.add(use);
    }
}
