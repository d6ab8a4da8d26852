package org.bloomgate.prefix;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.background.Background;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.ExactAnswer;
import org.bloomgate.lookup.ExactLookup;
import org.bloomgate.lookup.KeyRanges;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.UnknownReason;
import org.bloomgate.verdict.Listing;
import org.bloomgate.wire.HashPrefix;
import org.bloomgate.wire.HashedKey;
import org.bloomgate.wire.LookupReply.Statement;
import org.bloomgate.wire.PrefixPage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Pages of the layers on this machine, from an index of each layer and kind that was ever asked for. Thread-safe.
///
/// The first question about a kind has it indexed in the background, a second or two for a million keys, and is told
/// that there is no data so far. When a layer has a new generation, pages go on coming from the one before, which
/// stays open for that, until the new one is indexed.
final class PrefixPages implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrefixPages.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /// Reasons besides those of [UnknownReason].
    private static final String STORE = "store";

    private static final String TOO_MANY = "too-many";

    private final LayerSource layers;
    private final Path folder;
    private final Map<Of, State> indexed = new ConcurrentHashMap<>();

    /// Leases of what was replaced, closed a round later: somebody may be reading there.
    private final List<LayerLease> retired = new ArrayList<>();

    private final ReentrantLock building = new ReentrantLock();
    private Optional<Background> keeping = Optional.empty();
    private volatile boolean closed;

    /// @param folder for the files of indexes
    PrefixPages(LayerSource layers, Path folder) {
        this.layers = layers;
        this.folder = folder;
    }

    private record Of(String layer, KeyKind kind) {}

    /// @param lease keeps the store open that the index is of
    private record Indexed(LayerLease lease, String generation, ExactLookup store, PrefixIndex index) {}

    /// @param tried generation that was indexed last, or could not be; empty before the first
    private record State(Optional<Indexed> ready, String tried) {
        static final State WANTED = new State(Optional.empty(), "");
    }

    PrefixPage page(String layer, KeyKind kind, HashPrefix prefix, Duration left) {
        Of of = new Of(layer, kind);
        Optional<Indexed> ready = indexed.getOrDefault(of, State.WANTED).ready();
        if (ready.isEmpty()) {
            return PrefixPage.none(whyNot(of).label());
        }
        try {
            return page(ready.get(), prefix, left);
        } catch (IOException unread) {
            LOG.warn("{}{}/{}: {}", PrefixPage.PATH, layer, kind.label(), unread.getMessage());
            return PrefixPage.none(STORE);
        }
    }

    /// Has the index made, if it can be.
    private UnknownReason whyNot(Of of) {
        try (LayerLease lease = layers.lease()) {
            if (of(lease, of.layer()).isEmpty()) {
                return UnknownReason.NO_LAYER;
            }
        }
        if (indexed.putIfAbsent(of, State.WANTED) == null) {
            begin();
        }
        return UnknownReason.NO_DATA;
    }

    private static Optional<Layer> of(LayerLease lease, String name) {
        return lease.layers().stream()
                .filter(layer -> layer.name().equals(name))
                .findFirst();
    }

    private synchronized void begin() {
        if (keeping.isEmpty() && !closed) {
            keeping = Optional.of(Background.every(LOOK_AGAIN, "prefix-index", this::keepUp));
        }
        Thread.ofVirtual().name("prefix-index").start(this::keepUp);
    }

    private static PrefixPage page(Indexed of, HashPrefix prefix, Duration left) throws IOException {
        Optional<List<Key>> keys = of.index().keys(prefix, PrefixPage.MAX_CANDIDATES);
        if (keys.isEmpty()) {
            return PrefixPage.none(TOO_MANY);
        }
        List<ExactAnswer> answers = of.store().lookup(keys.get(), left);
        Map<Statement, Integer> positions = new LinkedHashMap<>();
        SequencedMap<String, List<Integer>> candidates = new TreeMap<>();
        for (int i = 0; i < answers.size(); i++) {
            if (!(answers.get(i) instanceof ExactAnswer.Listed(List<Listing> listings))) {
                throw new IOException("a key of the index is not answered for: " + answers.get(i));
            }
            List<Integer> said = new ArrayList<>();
            for (Listing listing : listings) {
                said.add(positions.computeIfAbsent(Statement.of(listing), _ -> positions.size()));
            }
            candidates.put(HashedKey.hex(HashedKey.of(keys.get().get(i))), said);
        }
        return PrefixPage.of(of.generation(), List.copyOf(positions.keySet()), candidates);
    }

    /// Indexes what was asked for and is not of the generation in force.
    private void keepUp() {
        building.lock();
        try {
            retired.forEach(LayerLease::close);
            retired.clear();
            indexed.forEach(this::keepUp);
        } finally {
            building.unlock();
        }
    }

    private void keepUp(Of of, State now) {
        LayerLease lease = layers.lease();
        Optional<Layer> layer = of(lease, of.layer());
        if (layer.isEmpty()) {
            now.ready().ifPresent(before -> retired.add(before.lease()));
            indexed.remove(of);
        }
        Optional<Indexed> next = layer.filter(
                        there -> !closed && !there.generation().equals(now.tried()))
                .flatMap(there -> index(lease, there, of.kind()));
        layer.ifPresent(there -> indexed.put(of, new State(next.or(now::ready), there.generation())));
        if (next.isPresent()) {
            now.ready().ifPresent(before -> retired.add(before.lease()));
        } else {
            lease.close();
        }
    }

    /// Empty when the store is elsewhere or cannot be read.
    private Optional<Indexed> index(LayerLease lease, Layer layer, KeyKind kind) {
        Optional<ExactLookup> store = layer.exact().local();
        if (store.isEmpty() || !(store.get() instanceof KeyRanges ranges)) {
            return Optional.empty();
        }
        try {
            PrefixIndex index = PrefixIndex.of(ranges, kind, folder, () -> closed);
            return Optional.of(new Indexed(lease, layer.generation(), store.get(), index));
        } catch (IOException unread) {
            LOG.warn("layer {}: keys of kind {} are not indexed: {}", layer.name(), kind.label(), unread.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        closed = true;
        Optional<Background> ending;
        synchronized (this) {
            ending = keeping;
        }
        ending.ifPresent(Background::close);
        building.lock();
        try {
            retired.forEach(LayerLease::close);
            indexed.values()
                    .forEach(one -> one.ready().ifPresent(index -> index.lease().close()));
            indexed.clear();
        } finally {
            building.unlock();
        }
    }
}
