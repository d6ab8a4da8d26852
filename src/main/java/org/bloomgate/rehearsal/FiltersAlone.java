package org.bloomgate.rehearsal;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.bloomgate.key.Key;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.lookup.ExactAnswer;
import org.bloomgate.lookup.ExactLookup;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.LayerSource;

/// The layers in force for made-up mail: their filters are asked, nobody behind them is, and what operators list does
/// not count. Thread-safe.
public record FiltersAlone(LayerSource layers) implements LayerSource {
    private static final ExactLookup NOTHING_LISTED = new ExactLookup() {
        @Override
        public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
            return Collections.nCopies(keys.size(), new ExactAnswer.NotListed());
        }

        @Override
        public void close() {}
    };

    @Override
    public LayerLease lease() {
        return new Lease(layers.lease());
    }

    private static final class Lease implements LayerLease {
        private final LayerLease real;
        private final List<Layer> alone;

        Lease(LayerLease real) {
            this.real = real;
            this.alone = real.layers().stream()
                    .map(layer -> new Layer(
                            layer.name(),
                            layer.generation(),
                            layer.createdAt(),
                            layer.filters(),
                            layer.networks(),
                            layer.categories(),
                            layer.standings(),
                            NOTHING_LISTED))
                    .toList();
        }

        @Override
        public List<Layer> layers() {
            return alone;
        }

        @Override
        public PublicSuffixes suffixes() {
            return real.suffixes();
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
