package org.bloomgate.lookup.tier;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.bloomgate.core.key.Key;

/// The suspects of one layer, each key once, with its positions in the batch. Costs one small object while empty.
final class Suspects {
    private final Layer layer;
    private final List<Key> keys = new ArrayList<>(0);
    private final List<List<Integer>> positions = new ArrayList<>(0);
    private Map<Key, List<Integer>> byKey = Map.of();

    Suspects(Layer layer) {
        this.layer = layer;
    }

    void add(Key key, int position) {
        byKey = byKey.isEmpty() ? new HashMap<>() : byKey;
        byKey.computeIfAbsent(key, this::addKey).add(position);
    }

    private List<Integer> addKey(Key key) {
        List<Integer> ofKey = new ArrayList<>(1);
        keys.add(key);
        positions.add(ofKey);
        return ofKey;
    }

    /// Removes the positions that match, and keys without positions.
    void drop(IntPredicate position) {
        for (int i = keys.size() - 1; i >= 0; i--) {
            positions.get(i).removeIf(position::test);
            if (positions.get(i).isEmpty()) {
                positions.remove(i);
                keys.remove(i);
            }
        }
    }

    /// False for lists without a local copy, where every key is queried.
    boolean hasFilter() {
        return !layer.name().equals(LiveBlocklists.LAYER);
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    Layer layer() {
        return layer;
    }

    /// In the order of their first position.
    List<Key> keys() {
        return keys;
    }

    /// The positions in the batch of the key at this index of [#keys()].
    List<Integer> positions(int key) {
        return positions.get(key);
    }
}
