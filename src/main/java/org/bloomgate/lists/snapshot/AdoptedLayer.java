package org.bloomgate.lists.snapshot;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Layer;

/// An opened snapshot with its exact tier, shared by all sets of layers it is part of and closed with the last
/// of them.
final class AdoptedLayer {
    private final Snapshot snapshot;
    private final Instant adoptedAt;
    private volatile Layer layer;
    private volatile Optional<Instant> confirmedAt = Optional.empty();
    private final AtomicInteger setCount = new AtomicInteger();

    AdoptedLayer(Snapshot snapshot, ExactLookup exact, Instant adoptedAt) {
        SnapshotManifest manifest = snapshot.manifest();
        this.snapshot = snapshot;
        this.adoptedAt = adoptedAt;
        this.layer = new Layer(
                manifest.layer(),
                manifest.generation(),
                manifest.createdAt(),
                snapshot.filters(),
                snapshot.networks(),
                manifest.collectCategories(),
                manifest.collectListingSources(),
                manifest.collectExceptions(),
                exact);
    }

    Snapshot snapshot() {
        return snapshot;
    }

    SnapshotManifest manifest() {
        return snapshot.manifest();
    }

    Layer layer() {
        return layer;
    }

    /// Renews the age of the layer in sets that are made later. Called under the lock of
    /// [LiveSnapshots].
    void confirm(Instant at) {
        confirmedAt = Optional.of(at);
        layer = layer.confirmedAt(at);
    }

    Optional<Instant> confirmedAt() {
        return confirmedAt;
    }

    Instant adoptedAt() {
        return adoptedAt;
    }

    /// Called under the lock of [LiveSnapshots], while a set that holds it is alive or before there is one.
    void retain() {
        setCount.incrementAndGet();
    }

    void release() {
        if (setCount.decrementAndGet() == 0) {
            close();
        }
    }

    void close() {
        try {
            layer.exact().close();
        } finally {
            snapshot.close();
        }
    }
}
