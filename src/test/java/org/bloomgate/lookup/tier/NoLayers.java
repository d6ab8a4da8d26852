package org.bloomgate.lookup.tier;

import java.util.List;
import org.bloomgate.core.key.PublicSuffixes;

/// A lease where no snapshot is: what is asked beside layers is asked alone.
public interface NoLayers extends LayerLease {
    static LayerLease lease() {
        return new NoLayers() {};
    }

    @Override
    default List<Layer> layers() {
        return List.of();
    }

    @Override
    default PublicSuffixes suffixes() {
        return PublicSuffixes.bundled();
    }

    @Override
    default void close() {}
}
