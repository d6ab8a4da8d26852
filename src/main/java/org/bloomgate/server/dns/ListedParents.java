package org.bloomgate.server.dns;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.core.bloom.ScalableFilter;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.OrderedKeyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The names with listed names below them, in the current layers and in the operators' entries: filters that
/// are built from the exact stores, in the background, whenever the layers change.
///
/// A false positive is harmless: the answer is "no such record" instead of "no such name". The same answer is
/// given while nothing is known: just after a swap, and for a store on another machine. The exact tier is not
/// queried.
///
/// Takes about 2 bytes of memory for each listed name. Thread-safe; a lookup takes no lock and allocates
/// nothing.
final class ListedParents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ListedParents.class);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);
    private static final double FALSE_POSITIVE_RATE = 1e-3;

    /// The number of listed names for each parent that only they have, in phishing feeds; the filter grows if
    /// there are more parents.
    private static final int NAMES_PER_PARENT = 3;

    private static final int LEAST_CAPACITY = 256;

    private final LayerSource source;
    private final KeyHash hash = new KeyHash(ThreadLocalRandom.current().nextLong());
    private Optional<BackgroundTask> watch = Optional.empty();
    private volatile View view = new View(List.of(), LocalRules.NONE, Map.of(), false, new ScalableFilter[0]);

    /// @param ofLayers by name and generation; empty if the store cannot be iterated
    /// @param complete whether a name that is in no filter certainly has no listed name below it
    @SuppressWarnings("ArrayRecordComponent")
    private record View(
            List<Layer> layers,
            LocalRules local,
            Map<String, Optional<ScalableFilter>> ofLayers,
            boolean complete,
            ScalableFilter[] filters) {}

    ListedParents(LayerSource source) {
        this.source = source;
    }

    /// Watches the current layers from now on.
    void watch() {
        watch = Optional.of(BackgroundTask.every(CHECK_INTERVAL, "dns-parents", this::checkNow));
    }

    /// Builds the filters that are missing for the current layers.
    void checkNow() {
        try (LayerLease lease = source.lease()) {
            if (!isOf(view, lease)) {
                view = viewOf(lease);
            }
        }
    }

    /// A changed list of layers is always another object.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isOf(View view, LayerLease lease) {
        return view.layers == lease.layers() && view.local == lease.local();
    }

    /// False only if no name below this one is listed.
    ///
    /// @param name with dots, as queried
    boolean mayHaveListedBelow(byte[] name, int length, LayerLease lease) {
        View now = view;
        if (!now.complete || !isOf(now, lease)) {
            return true;
        }
        long hashed = hash.hash(name, 0, length);
        for (ScalableFilter filter : now.filters) {
            if (filter.mightContain(hashed)) {
                return true;
            }
        }
        return false;
    }

    private View viewOf(LayerLease lease) {
        Map<String, Optional<ScalableFilter>> ofLayers = new HashMap<>();
        for (Layer layer : lease.layers()) {
            String name = layer.name() + "/" + layer.generation();
            Optional<ScalableFilter> known = view.ofLayers.get(name);
            ofLayers.put(name, known == null ? parentsOfLayer(layer) : known);
        }
        List<ScalableFilter> filters = new ArrayList<>();
        ofLayers.values().forEach(filter -> filter.ifPresent(filters::add));
        filters.add(parentsOfEntries(lease.local()));
        return new View(
                lease.layers(),
                lease.local(),
                ofLayers,
                ofLayers.values().stream().allMatch(Optional::isPresent),
                filters.toArray(new ScalableFilter[0]));
    }

    /// Empty, for as long as the layer is in use, if its store cannot be iterated here.
    private Optional<ScalableFilter> parentsOfLayer(Layer layer) {
        BloomFilter listed = layer.filters().get(KeyKind.DOMAIN);
        if (listed == null) {
            return Optional.of(filter(0));
        }
        Optional<OrderedKeyStore> ranges =
                layer.exact().local().filter(OrderedKeyStore.class::isInstance).map(OrderedKeyStore.class::cast);
        return ranges.flatMap(store -> {
            long began = System.nanoTime();
            ScalableFilter parents = filter(listed.header().inserted());
            ParentNames names = new ParentNames(hash, parents);
            try {
                store.forEach(KeyKind.DOMAIN, new byte[0], new byte[0], names);
                LOG.info(
                        "dns: {}/{}: {} parents of {} names, {} bytes, in {} ms",
                        layer.name(),
                        layer.generation(),
                        parents.keys(),
                        listed.header().inserted(),
                        parents.memoryBytes(),
                        (System.nanoTime() - began) / 1_000_000);
                return Optional.of(parents);
            } catch (IOException unreadable) {
                LOG.warn(
                        "dns: {}: store not readable: {} (unlisted names are answered NOERROR instead of NXDOMAIN)",
                        layer.name(),
                        unreadable.getMessage());
                return Optional.empty();
            }
        });
    }

    private ScalableFilter parentsOfEntries(LocalRules local) {
        ScalableFilter parents = filter(local.listings().size());
        ParentNames names = new ParentNames(hash, parents);
        for (Listing listing : local.listings()) {
            if (listing.key().kind() == KeyKind.DOMAIN) {
                byte[] bytes = listing.key().bytes();
                names.key(bytes, 0, bytes.length, 0);
            }
        }
        return parents;
    }

    private static ScalableFilter filter(long listed) {
        return new ScalableFilter(Math.max(LEAST_CAPACITY, listed / NAMES_PER_PARENT), FALSE_POSITIVE_RATE);
    }

    /// Bytes of all filters.
    long memoryBytes() {
        long sum = 0;
        for (ScalableFilter filter : view.filters) {
            sum += filter.memoryBytes();
        }
        return sum;
    }

    @Override
    public void close() {
        watch.ifPresent(BackgroundTask::close);
    }
}
