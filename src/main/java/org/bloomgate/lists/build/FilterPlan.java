package org.bloomgate.lists.build;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.KeyKind;

/// How large the filter of each kind becomes: as its rate asks for, or within a budget of memory for all of them.
///
/// With a budget, the needless escalations of all kinds together are made few. A kind of n keys that is asked w times
/// gives w*p of them and costs n*ln(1/p) bits, so that the sum is least where p is proportional to n/w (Lagrange):
/// small and often asked kinds get the low rates. Where a filter of fingerprints is smaller at the rate that a kind
/// is given, it is taken, and has a rate below that.
public final class FilterPlan {
    /// Below this a better rate is nothing anybody would see.
    private static final double LOWEST_RATE = 1e-8;

    private static final double HIGHEST_RATE = 0.5;

    /// Halvings of a range of rates of 18 decades: leaves a step of a thousandth.
    private static final int STEPS = 16;

    private final Map<KeyKind, FilterSizing> sizings;

    private FilterPlan(Map<KeyKind, FilterSizing> sizings) {
        this.sizings = sizings;
    }

    public FilterSizing of(KeyKind kind) {
        return Optional.ofNullable(sizings.get(kind))
                .orElseThrow(() -> new IllegalArgumentException("no keys of kind " + kind.label()));
    }

    /// Bytes of all filters.
    public long bytes() {
        return sizings.values().stream().mapToLong(FilterSizing::bodyBytes).sum();
    }

    /// A plan by the rates of the options.
    public static FilterPlan byRates(ToLongFunction<KeyKind> keys, RebuildOptions options) {
        return plan(keys, options, 0);
    }

    /// Within this many bytes, if there are enough for a rate of one half.
    public static FilterPlan within(long bytes, ToLongFunction<KeyKind> keys, RebuildOptions options) {
        double low = Math.log(LOWEST_RATE) - Math.log(1e10);
        double high = 0;
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (plan(keys, options, Math.exp(middle)).bytes() <= bytes) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return plan(keys, options, Math.exp(high));
    }

    /// @param scale rate of a kind for each key it holds and each time it is asked; 0 for the rates of the options
    private static FilterPlan plan(ToLongFunction<KeyKind> keys, RebuildOptions options, double scale) {
        Map<KeyKind, FilterSizing> sizings = new EnumMap<>(KeyKind.class);
        for (KeyKind kind : KeyKind.values()) {
            long count = keys.applyAsLong(kind);
            if (count > 0 && !kind.rules().hasRanges()) {
                double rate = scale == 0
                        ? options.rate(kind)
                        : Math.clamp(scale * count / kind.rules().askedPerMail(), LOWEST_RATE, HIGHEST_RATE);
                sizings.put(kind, FilterSizing.of(count, rate));
            }
        }
        return new FilterPlan(sizings);
    }
}
