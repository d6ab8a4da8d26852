package org.bloomgate.server.smtp;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.cidr.RangeBuilder;
import org.bloomgate.core.cidr.RangeFormat;
import org.bloomgate.core.cidr.RangesRefusedException;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.CanonicalForm;
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

/// One layer in memory: `listed.example` is listed, of `silent.example` the exact tier cannot say, `refuted.example`
/// is a false positive of the filter, two networks are listed, `broken.example` is a fault of the machine.
public final class ListedDomains implements LayerSource {
    public static final String LISTED = "listed.example";
    public static final String LISTED_NETWORK = "198.51.100.0/24";
    public static final String LISTED_IPV6 = "2001:db8:bad::/48";
    public static final String SILENT = "silent.example";
    public static final String REFUTED = "refuted.example";
    public static final String BROKEN = "broken.example";

    private final List<Layer> layers;
    private final AtomicInteger open = new AtomicInteger();

    private ListedDomains(List<Layer> layers) {
        this.layers = layers;
    }

    public static ListedDomains inForce() {
        return new ListedDomains(List.of(new Layer(
                "nightly",
                "generation-1",
                RelayWorld.NOW.minusSeconds(60),
                Map.of(KeyKind.DOMAIN, filter(LISTED, SILENT, REFUTED, BROKEN)),
                Optional.of(networks()),
                Map.of(KeyKind.DOMAIN, Set.of("phishing")),
                Map.of(),
                Map.of(),
                new Exact())));
    }

    public static ListedDomains withoutSnapshot() {
        return new ListedDomains(List.of());
    }

    private static AddressRanges networks() {
        RangeBuilder builder = new RangeBuilder(CanonicalForm.VERSION);
        for (String network : List.of(LISTED_NETWORK, LISTED_IPV6)) {
            byte[] bytes = AddressBlock.parse(network).bytes();
            builder.add(bytes, 0, bytes.length);
        }
        MemorySegment file = MemorySegment.ofArray(new byte[(int) builder.fileBytes()]);
        builder.writeTo(file);
        try {
            return RangeFormat.open(file, CanonicalForm.VERSION);
        } catch (RangesRefusedException e) {
            throw new AssertionError(e);
        }
    }

    private static BloomFilter filter(String... domains) {
        FilterParameters parameters =
                new FilterParameters(KeyKind.DOMAIN.wireCode(), 1, 42, FilterSizing.of(100, 1e-6), Instant.EPOCH);
        BloomFilterBuilder builder =
                new BloomFilterBuilder(MemorySegment.ofArray(new byte[(int) parameters.fileBytes()]), parameters);
        for (String domain : domains) {
            byte[] bytes = domain.getBytes(StandardCharsets.US_ASCII);
            builder.add(bytes, 0, bytes.length);
        }
        return builder.finish();
    }

    /// Leases that were not closed.
    public int openLeases() {
        return open.get();
    }

    @Override
    public LayerLease lease() {
        open.incrementAndGet();
        return new LayerLease() {
            @Override
            public List<Layer> layers() {
                return layers;
            }

            @Override
            public PublicSuffixes suffixes() {
                return PublicSuffixes.bundled();
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    private static final class Exact implements ExactLookup {
        @Override
        public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
            return keys.stream().map(Exact::answer).toList();
        }

        private static ExactAnswer answer(Key key) {
            return switch (key.text()) {
                case LISTED, LISTED_NETWORK, LISTED_IPV6 ->
                    new ExactAnswer.Listed(List.of(new Listing(
                            "sample",
                            "phishing",
                            key,
                            Match.SUFFIX,
                            Set.of(Use.values()),
                            Instant.EPOCH,
                            Instant.EPOCH,
                            0)));
                case SILENT -> new ExactAnswer.Unknown("does not answer");
                case BROKEN -> throw new InternalError("a fault occurred in an unsafe memory access operation");
                default -> new ExactAnswer.NotListed();
            };
        }

        @Override
        public void close() {}
    }
}
