package org.bloomgate.lookup.password;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.OrderedKeyStore;

/// Reads the digests that begin with a prefix from the stores of all layers and from the entries of operators,
/// without general exceptions. A range is complete or absent: a missing row would mean that a password
/// is not listed.
public final class RangeReader {
    /// The most rows that are read from one layer. The full list of Pwned Passwords has about 2,000 a prefix.
    static final int MAX_ROWS = 65_536;

    private static final int USUAL_ROWS = 2_048;
    private static final int ROWS_BETWEEN_TIME_CHECKS = 256;
    private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(1);

    private final DigestMode mode;
    private final DigestPrefix prefix;
    private final BooleanSupplier hasTime;

    /// @param hasTime false once the answer would come too late
    public RangeReader(DigestMode mode, DigestPrefix prefix, BooleanSupplier hasTime) {
        this.mode = mode;
        this.prefix = prefix;
        this.hasTime = hasTime;
    }

    /// Returns the rows of the range; empty if no layer has such digests.
    ///
    /// @throws IOException when a layer could not be read to the end; the message is for a log
    public Optional<DigestRows> read(LayerLease lease) throws IOException {
        List<Layer> layers = collectPasswordLayers(lease);
        Optional<DigestRows> merged = Optional.empty();
        for (Layer layer : layers) {
            OrderedKeyStore store = findStore(layer);
            if (store.passwordDigestBytes().contains(mode.digestBytes())) {
                DigestRows rows = read(store);
                merged = Optional.of(merged.map(rows::merge).orElse(rows));
            }
        }
        Map<Key, OptionalLong> exceptedCounts = countExcepted(layers, lease.local());
        return merged.map(rows -> rows.withCounts(exceptedCounts));
    }

    private static List<Layer> collectPasswordLayers(LayerLease lease) {
        List<Layer> layers = new ArrayList<>();
        for (Layer layer : lease.layers()) {
            if (layer.filters().containsKey(KeyKind.PASSWORD)) {
                layers.add(layer);
            }
        }
        if (lease.local().kinds().contains(KeyKind.PASSWORD)) {
            layers.add(lease.local().layer());
        }
        return layers;
    }

    private static OrderedKeyStore findStore(Layer layer) throws IOException {
        return layer.exact()
                .local()
                .filter(OrderedKeyStore.class::isInstance)
                .map(OrderedKeyStore.class::cast)
                .orElseThrow(() -> new IOException("the exact tier of layer " + layer.name() + " has no ranges"));
    }

    private DigestRows read(OrderedKeyStore store) throws IOException {
        DigestRows rows = new DigestRows(mode.digestBytes(), USUAL_ROWS);
        store.forEach(KeyKind.PASSWORD, prefix.firstBytes(), prefix.endBytes(), (bytes, from, to, count) -> {
            if (to - from == mode.digestBytes()) {
                requireBounds(rows.size());
                rows.add(bytes, from, count);
            }
        });
        return rows;
    }

    private void requireBounds(int rows) throws IOException {
        if (rows == MAX_ROWS) {
            throw new IOException("more than " + MAX_ROWS + " digests with one prefix in one layer");
        }
        if (rows % ROWS_BETWEEN_TIME_CHECKS == 0 && !hasTime.getAsBoolean()) {
            throw new IOException("out of time");
        }
    }

    /// The excepted passwords of the range that are still listed: the highest count of a listing that no
    /// exception overrides; empty if there is none.
    private Map<Key, OptionalLong> countExcepted(List<Layer> layers, LocalRules local) throws IOException {
        Map<Key, OptionalLong> remaining = new HashMap<>();
        for (Key key : local.exceptedPasswords()) {
            if (key.bytes().length == mode.digestBytes() && prefix.matches(key.bytes())) {
                requireBounds(0);
                remaining.put(key, findHighestCount(key, layers, local));
            }
        }
        return remaining;
    }

    private static OptionalLong findHighestCount(Key key, List<Layer> layers, LocalRules local) throws IOException {
        OptionalLong highest = OptionalLong.empty();
        for (Layer layer : layers) {
            switch (layer.exact().lookup(List.of(key), LOOKUP_TIMEOUT).getFirst()) {
                case ExactAnswer.Listed listed -> {
                    for (Listing listing : listed.listings()) {
                        if (!local.overrides(key, listing)) {
                            highest = OptionalLong.of(Math.max(highest.orElse(0), listing.count()));
                        }
                    }
                }
                case ExactAnswer.NotListed _ -> {}
                case ExactAnswer.Unknown unknown -> throw new IOException(layer.name() + ": " + unknown.reason());
            }
        }
        return highest;
    }
}
