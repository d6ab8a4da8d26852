package org.bloomgate.lookup.lookup;

import java.util.ArrayList;
import java.util.List;

/// What one filter could not rule out of what was asked together.
///
/// @param filter `LAYER/KIND`, as in `nightly/domain`
/// @param suspects keys that the exact tier was asked about
/// @param refuted of them, those that it does not hold: false positives of the filter
public record FilterUse(String filter, int suspects, int refuted) {

    FilterUse and(FilterUse other) {
        return new FilterUse(filter, suspects + other.suspects, refuted + other.refuted);
    }

    /// Each filter once.
    static List<FilterUse> together(List<FilterUse> some, List<FilterUse> others) {
        if (some.isEmpty() || others.isEmpty()) {
            return some.isEmpty() ? others : some;
        }
        List<FilterUse> all = new ArrayList<>(some);
        others.forEach(use -> add(use, all));
        return all;
    }

    /// Adds one more to those of its filter.
    static void add(FilterUse use, List<FilterUse> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).filter.equals(use.filter)) {
                all.set(i, all.get(i).and(use));
                return;
            }
        }
        all.add(use);
    }
}
