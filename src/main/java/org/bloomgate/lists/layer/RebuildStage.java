package org.bloomgate.lists.layer;

import org.bloomgate.base.config.Labelled;

/// The stages of a rebuild, in order.
public enum RebuildStage implements Labelled {
    /// Feeds are fetched, unpacked, parsed and sorted run by run; counted in keys.
    READ,
    /// The runs are merged and duplicates combined; counted in keys.
    MERGE,
    /// Filters and exact store are written from one stream; counted in keys.
    BUILD,
    /// Every key is tested in the written filter, a sample in the written store; counted in keys.
    PROVE,
    /// The exact store is written to the shared store, if one is configured; counted in keys.
    SHARE,
    /// The snapshot becomes current.
    PUBLISH
}
