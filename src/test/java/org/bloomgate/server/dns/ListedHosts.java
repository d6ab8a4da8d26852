package org.bloomgate.server.dns;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.cidr.RangeBuilder;
import org.bloomgate.core.cidr.RangeFormat;
import org.bloomgate.core.cidr.RangesRefusedException;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Exceptions;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.OrderedKeyStore;

/// Domains in one layer in memory, with a real filter; what operators say beside it.
public final class ListedHosts implements LayerSource, ExactLookup, OrderedKeyStore {
    public static final Instant CREATED = Instant.parse("2026-01-02T03:04:05Z");

    private final Map<String, List<Listing>> listings = new TreeMap<>();
    private final Set<String> silent = new TreeSet<>();
    private final Set<String> inFilter = new TreeSet<>();
    private final List<Listing> local = new ArrayList<>();
    private final List<ListingException> exceptions = new ArrayList<>();
    private final List<AddressBlock> networks = new ArrayList<>();
    private volatile Optional<CountDownLatch> gate = Optional.empty();
    private boolean remoteEntries;
    private volatile List<Layer> layers = List.of();
    private volatile LocalRules rules = LocalRules.NONE;

    public ListedHosts lists(String host, String feed, String category, Match match) {
        inFilter.add(host);
        listings.computeIfAbsent(host, _ -> new ArrayList<>()).add(listing(host, feed, category, match));
        return this;
    }

    public ListedHosts lists(String... hosts) {
        for (String host : hosts) {
            lists(host, "sample", "phishing", Match.SUFFIX);
        }
        return this;
    }

    /// As a feed whose word counts as this lists it.
    public ListedHosts lists(String host, String category, ListingSource source) {
        inFilter.add(host);
        Listing listing = listing(host, "sample", category, Match.SUFFIX).withSource(source);
        listings.computeIfAbsent(host, _ -> new ArrayList<>()).add(listing);
        return this;
    }

    /// The filter says maybe, the store does not hold it.
    public ListedHosts collides(String host) {
        inFilter.add(host);
        return this;
    }

    /// The filter says maybe, the store cannot say.
    public ListedHosts fallsSilent(String host) {
        inFilter.add(host);
        silent.add(host);
        return this;
    }

    public ListedHosts operatorLists(String host, String category) {
        local.add(listing(host, LocalRules.LAYER, category, Match.SUFFIX));
        return this;
    }

    public ListedHosts listsNetworks(String... blocks) {
        for (String block : blocks) {
            AddressBlock network = AddressBlock.parse(block);
            networks.add(network);
            listings.put(
                    network.key().text(),
                    List.of(new Listing(
                            "nets", "botnet", network.key(), Match.SUFFIX, Set.of(Use.values()), CREATED, CREATED, 0)));
        }
        return this;
    }

    public ListedHosts operatorListsNetwork(String block) {
        local.add(new Listing(
                LocalRules.LAYER,
                "botnet",
                AddressBlock.parse(block).key(),
                Match.SUFFIX,
                Set.of(Use.values()),
                CREATED,
                CREATED,
                0));
        return this;
    }

    /// @param recipients empty for everybody
    public ListedHosts operatorExempts(String host, Optional<String> recipients) {
        exceptions.add(Exceptions.of(
                new Key(KeyKind.DOMAIN, host),
                Match.SUFFIX,
                new Entry.Scope(Optional.empty(), Optional.empty(), recipients)));
        return this;
    }

    /// Every question of the store waits for the latch.
    public ListedHosts waitsFor(CountDownLatch latch) {
        gate = Optional.of(latch);
        return this;
    }

    /// From now on the store is that of another machine.
    public ListedHosts movesElsewhere() {
        remoteEntries = true;
        return this;
    }

    private static Listing listing(String host, String feed, String category, Match match) {
        return new Listing(
                feed, category, new Key(KeyKind.DOMAIN, host), match, Set.of(Use.values()), CREATED, CREATED, 0);
    }

    public ListedHosts inForce() {
        return inForce("nightly");
    }

    public ListedHosts inForce(String layer) {
        Set<String> categories = new TreeSet<>(Set.of("phishing"));
        listings.values().forEach(all -> all.forEach(one -> categories.add(one.category())));
        Map<KeyKind, BloomFilter> filters = Map.of(KeyKind.DOMAIN, filter());
        layers = List.of(new Layer(
                layer,
                "20260102T030405Z",
                CREATED,
                filters,
                ranges(),
                Map.of(KeyKind.DOMAIN, categories),
                Map.of(),
                Map.of(),
                this));
        return onlyLocal();
    }

    /// What operators say alone is in force, beside what was before.
    public ListedHosts onlyLocal() {
        rules = new LocalRules(local, exceptions, 7);
        return this;
    }

    private Optional<AddressRanges> ranges() {
        RangeBuilder builder = new RangeBuilder(1);
        networks.stream()
                .map(AddressBlock::bytes)
                .sorted(Arrays::compareUnsigned)
                .forEach(bytes -> builder.add(bytes, 0, bytes.length));
        MemorySegment file = MemorySegment.ofArray(new byte[Math.toIntExact(builder.fileBytes())]);
        builder.writeTo(file);
        try {
            return networks.isEmpty() ? Optional.empty() : Optional.of(RangeFormat.open(file, 1));
        } catch (RangesRefusedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private BloomFilter filter() {
        FilterParameters parameters = new FilterParameters(
                KeyKind.DOMAIN.wireCode(), 1, 42, FilterSizing.of(Math.max(1, inFilter.size()), 1e-6), CREATED);
        BloomFilterBuilder builder =
                new BloomFilterBuilder(MemorySegment.ofArray(new byte[(int) parameters.fileBytes()]), parameters);
        for (String host : inFilter) {
            byte[] bytes = host.getBytes(StandardCharsets.US_ASCII);
            builder.add(bytes, 0, bytes.length);
        }
        return builder.finish();
    }

    @Override
    public LayerLease lease() {
        List<Layer> now = layers;
        LocalRules said = rules;
        return new LayerLease() {
            @Override
            public List<Layer> layers() {
                return now;
            }

            @Override
            public PublicSuffixes suffixes() {
                return PublicSuffixes.bundled();
            }

            @Override
            public LocalRules local() {
                return said;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        gate.ifPresent(latch -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return keys.stream().map(this::answer).toList();
    }

    private ExactAnswer answer(Key key) {
        if (silent.contains(key.text())) {
            return new ExactAnswer.Unknown("does not answer");
        }
        List<Listing> found = listings.getOrDefault(key.text(), List.of());
        return found.isEmpty() ? new ExactAnswer.NotListed() : new ExactAnswer.Listed(found);
    }

    @Override
    public boolean mayQueryRemote() {
        return gate.isPresent();
    }

    @Override
    public Optional<ExactLookup> local() {
        return remoteEntries ? Optional.empty() : Optional.of(this);
    }

    @Override
    public Set<Integer> passwordDigestBytes() {
        return Set.of();
    }

    @Override
    public void forEach(KeyKind kind, byte[] from, byte[] to, Visitor visitor) throws IOException {
        for (String host : listings.keySet()) {
            byte[] bytes = host.getBytes(StandardCharsets.US_ASCII);
            visitor.key(bytes, 0, bytes.length, 0);
        }
    }

    @Override
    public void close() {}
}
