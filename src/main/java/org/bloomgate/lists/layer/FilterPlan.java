package org.bloomgate.lists.layer;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.KeyKind;

/// The size of the filter of each kind: by its rate, or within a memory budget for all of them.
///
/// With a budget, the sum of needless exact lookups is minimised. A kind of n keys that is looked up w times
/// causes w*p of them and costs n*ln(1/p) bits, so that the sum is least if p is proportional to n/w
/// (Lagrange): small and frequently queried kinds get low rates. If a fingerprint filter is smaller at the rate
/// of a kind, it is used, and its rate is lower still.
public final class FilterPlan {
    /// Below this, a better rate has no visible effect.
    private static final double LOWEST_RATE = 1e-8;

    private static final double HIGHEST_RATE = 0.5;

    /// Bisections of a range of 18 decades; the last step is a thousandth.
    private static final int STEPS = 16;

    private final Map<KeyKind, FilterSizing> sizings;

    private FilterPlan(Map<KeyKind, FilterSizing> sizings) {
        this.sizings = sizings;
    }

    public FilterSizing findSizing(KeyKind kind) {
        return Optional.ofNullable(sizings.get(kind))
                .orElseThrow(() -> new IllegalArgumentException("no keys of kind " + kind.label()));
    }

    /// The same keys and rates in the two-line layout, which accepts any keys.
    public FilterPlan withTwoLines() {
        Map<KeyKind, FilterSizing> twoLine = new EnumMap<>(KeyKind.class);
        sizings.forEach(
                (kind, sizing) -> twoLine.put(kind, FilterSizing.twoLine(sizing.capacity(), sizing.targetRate())));
        return new FilterPlan(twoLine);
    }

    /// Bytes of all filters.
    public long countBytes() {
        return sizings.values().stream().mapToLong(FilterSizing::bodyBytes).sum();
    }

    /// A plan with the rate of each kind.
    public static FilterPlan byRates(ToLongFunction<KeyKind> keys) {
        return createPlan(keys, 0);
    }

    /// A plan within this many bytes, if they suffice for a rate of one half.
    public static FilterPlan within(long bytes, ToLongFunction<KeyKind> keys) {
        double low = Math.log(LOWEST_RATE) - Math.log(1e10);
        double high = 0;
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (createPlan(keys, Math.exp(middle)).countBytes() <= bytes) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return createPlan(keys, Math.exp(high));
    }

    /// @param scale rate of a kind for each key it contains and each lookup; 0 for the rate of each kind
    private static FilterPlan createPlan(ToLongFunction<KeyKind> keys, double scale) {
        Map<KeyKind, FilterSizing> sizings = new EnumMap<>(KeyKind.class);
        for (KeyKind kind : KeyKind.values()) {
            long count = keys.applyAsLong(kind);
            if (count > 0 && !kind.rules().hasRanges()) {
                double rate = scale == 0
                        ? kind.rules().rate()
                        : Math.clamp(scale * count / kind.rules().keysPerMessage(), LOWEST_RATE, HIGHEST_RATE);
                sizings.put(kind, FilterSizing.of(count, rate));
            }
        }
        return new FilterPlan(sizings);
    }
}
