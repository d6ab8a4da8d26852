package org.bloomgate.lookup.tier;

/// Provides the current layers. Thread-safe.
public interface LayerSource {

    /// The layers of this moment, held until the lease is closed: a message transaction keeps the snapshot it
    /// began with.
    LayerLease lease();
}
