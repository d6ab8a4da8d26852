package org.bloomgate.lookup;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.bloomgate.filter.BloomFilter;
import org.bloomgate.key.KeyKind;

/// One adopted snapshot: its filters and the exact tier behind them.
///
/// @param name of the layer, `nightly` for instance
/// @param filters by kind; a kind that is absent lists nothing
/// @param categories of the feeds of each kind: what a suspect could be listed as while the exact tier is silent
public record Layer(
        String name,
        String generation,
        Instant createdAt,
        Map<KeyKind, BloomFilter> filters,
        Map<KeyKind, Set<String>> categories,
        ExactLookup exact) {
    public Layer {
        filters = Map.copyOf(filters);
        categories = Map.copyOf(categories);
    }
}
