package org.bloomgate.lists.snapshot;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;

/// The current layers at one time. Counts its leases and its owner: the last release of a retired set closes
/// the layers that no other set uses.
///
/// A message is divided into keys by one public suffix list, that of the newest snapshot, whatever list the
/// other layers were made with. That loses no listing: a feed gives the same key under every list, and a name
/// is looked up down to its registrable domain. Another list only changes which names are public suffixes,
/// which are neither listed nor looked up.
final class LayerSet {
    private final List<AdoptedLayer> adoptedLayers;
    private final List<Layer> layers;
    private final PublicSuffixes suffixes;
    private final AtomicInteger holderCount = new AtomicInteger(1);

    /// @param suffixes used if there is no layer
    LayerSet(List<AdoptedLayer> adoptedLayers, PublicSuffixes suffixes) {
        this.adoptedLayers = adoptedLayers.stream()
                .sorted(Comparator.comparing(layer -> layer.layer().name()))
                .toList();
        this.layers = this.adoptedLayers.stream().map(AdoptedLayer::layer).toList();
        this.suffixes = this.adoptedLayers.stream()
                .max(Comparator.comparing(layer -> layer.manifest().createdAt()))
                .map(newest -> newest.snapshot().suffixes())
                .orElse(suffixes);
        this.adoptedLayers.forEach(AdoptedLayer::retain);
    }

    List<AdoptedLayer> adoptedLayers() {
        return adoptedLayers;
    }

    /// Empty when the set was retired and closed meanwhile.
    Optional<LayerLease> lease() {
        int count = holderCount.get();
        while (count > 0) {
            if (holderCount.compareAndSet(count, count + 1)) {
                return Optional.of(new Lease());
            }
            count = holderCount.get();
        }
        return Optional.empty();
    }

    /// Releases the owner's hold.
    void retire() {
        releaseHold();
    }

    private void releaseHold() {
        if (holderCount.decrementAndGet() == 0) {
            adoptedLayers.forEach(AdoptedLayer::release);
        }
    }

    private final class Lease implements LayerLease {
        private final AtomicBoolean open = new AtomicBoolean(true);

        @Override
        public List<Layer> layers() {
            return layers;
        }

        @Override
        public PublicSuffixes suffixes() {
            return suffixes;
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                releaseHold();
            }
        }
    }
}
