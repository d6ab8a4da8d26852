package org.bloomgate.server.api;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.OrderedKeyStore;

/// One layer with real filters in memory and an exact tier kept in a map.
public final class SmallLayer implements ExactLookup, OrderedKeyStore {
    static final String GENERATION = "20260305T010203Z";
    static final Instant FIRST_SEEN = Instant.parse("2026-01-02T03:04:05Z");
    static final Instant LAST_SEEN = Instant.parse("2026-03-04T05:06:07Z");

    private final Map<KeyKind, List<Key>> inFilter = new EnumMap<>(KeyKind.class);
    private final Map<Key, List<Listing>> listings = new HashMap<>();
    private boolean silent;
    private boolean remoteEntries;

    public SmallLayer lists(KeyKind kind, String text, Use use, long count) {
        Key key = new Key(kind, text);
        collides(key);
        listings.computeIfAbsent(key, none -> new ArrayList<>())
                .add(new Listing("sample", "phishing", key, Match.SUFFIX, Set.of(use), FIRST_SEEN, LAST_SEEN, count));
        return this;
    }

    public SmallLayer lists(KeyKind kind, String text) {
        return lists(kind, text, Use.LINK, 0);
    }

    /// The filter says maybe, the exact tier does not hold it.
    public SmallLayer collides(Key key) {
        inFilter.computeIfAbsent(key.kind(), none -> new ArrayList<>()).add(key);
        return this;
    }

    /// From now on nothing can be asked.
    public SmallLayer fallSilent() {
        silent = true;
        return this;
    }

    /// From now on the answers are those of another machine.
    SmallLayer movesElsewhere() {
        remoteEntries = true;
        return this;
    }

    public LayerSource inForce() {
        return source(List.of(layer("nightly", GENERATION)));
    }

    /// Both in force, under these generations.
    LayerSource inForceWith(SmallLayer other, String generation) {
        return source(List.of(other.layer("hourly", generation), layer("nightly", GENERATION)));
    }

    private Layer layer(String name, String generation) {
        Map<KeyKind, BloomFilter> filters = new EnumMap<>(KeyKind.class);
        inFilter.forEach((kind, keys) -> filters.put(kind, filter(kind, keys)));
        return new Layer(name, generation, LAST_SEEN, filters, Map.of(KeyKind.DOMAIN, Set.of("phishing")), this);
    }

    public static LayerSource none() {
        return source(List.of());
    }

    private static LayerSource source(List<Layer> layers) {
        PublicSuffixes suffixes = PublicSuffixes.bundled();
        return () -> new LayerLease() {
            @Override
            public List<Layer> layers() {
                return layers;
            }

            @Override
            public PublicSuffixes suffixes() {
                return suffixes;
            }

            @Override
            public void close() {}
        };
    }

    private static BloomFilter filter(KeyKind kind, List<Key> keys) {
        FilterParameters parameters =
                new FilterParameters(kind.wireCode(), 1, 42, FilterSizing.of(keys.size(), 1e-6), FIRST_SEEN);
        MemorySegment file = MemorySegment.ofArray(new byte[(int) parameters.fileBytes()]);
        BloomFilterBuilder builder = new BloomFilterBuilder(file, parameters);
        for (Key key : keys) {
            byte[] bytes = key.bytes();
            builder.add(bytes, 0, bytes.length);
        }
        return builder.finish();
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        return keys.stream().map(this::answer).toList();
    }

    @Override
    public Optional<ExactLookup> local() {
        return remoteEntries ? Optional.empty() : Optional.of(this);
    }

    private ExactAnswer answer(Key key) {
        if (silent) {
            return new ExactAnswer.Unknown("silent");
        }
        return listings.containsKey(key) ? new ExactAnswer.Listed(listings.get(key)) : new ExactAnswer.NotListed();
    }

    @Override
    public Set<Integer> passwordDigestBytes() {
        return listings.keySet().stream()
                .filter(key -> key.kind() == KeyKind.PASSWORD)
                .map(key -> key.bytes().length)
                .collect(toSet());
    }

    @Override
    public void forEach(KeyKind kind, byte[] from, byte[] to, Visitor visitor) throws IOException {
        NavigableMap<byte[], Long> all = new TreeMap<>(Arrays::compareUnsigned);
        listings.forEach((key, of) -> {
            if (key.kind() == kind) {
                all.put(key.bytes(), of.stream().mapToLong(Listing::count).max().orElse(0));
            }
        });
        NavigableMap<byte[], Long> queried =
                to.length == 0 ? all.tailMap(from, true) : all.subMap(from, true, to, false);
        for (Map.Entry<byte[], Long> row : queried.entrySet()) {
            if (silent) {
                throw new IOException("silent");
            }
            visitor.key(stored(row.getKey()), 1, row.getKey().length + 1, row.getValue());
        }
    }

    /// Behind the code of its kind, as stores hold it.
    private static byte[] stored(byte[] key) {
        byte[] stored = new byte[key.length + 1];
        System.arraycopy(key, 0, stored, 1, key.length);
        return stored;
    }

    @Override
    public void close() {}
}
