package org.bloomgate.lookup.tier;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.key.Use;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TwoTierLookupTest {
    private static final Set<Use> EVERYWHERE = Set.of(Use.values());

    private static final FilterParameters PARAMETERS =
            new FilterParameters(KeyKind.DOMAIN.wireCode(), 1, 42, FilterSizing.of(100, 1e-6), Instant.EPOCH);

    private final LookupCounts counts = new LookupCounts();
    private final List<String> unreadable = new ArrayList<>();
    private final TwoTierLookup lookup =
            new TwoTierLookup(Duration.ofMillis(250), counts, (layer, fault) -> unreadable.add(layer.name()));
    private final KeyBatch batch = new KeyBatch();

    @Test
    void tooFewSuspectsOfAQuorum_neverReachTheExactTier() {
        FakeExact exact = new FakeExact();
        batch.begin(new Identifier(KeyKind.DOMAIN, "3 keys", Place.CONTENT, "content"), 2);
        for (String key : List.of("bad.example", "good.example", "better.example")) {
            batch.append(key).endKey(KeyKind.DOMAIN, true);
        }
        assertInstanceOf(
                Verdict.Clean.class,
                judge(layer("nightly", exact, "bad.example")).verdict());
        assertEquals(List.of(), exact.queried);
    }

    @Test
    void cleanKeysNeverReachTheExactTier() {
        FakeExact exact = new FakeExact();
        add("good.example", Place.LINK, true);
        LookupResult lookupResult = judge(layer("nightly", exact, "bad.example"));
        assertInstanceOf(Verdict.Clean.class, lookupResult.verdict());
        assertEquals(1, lookupResult.keys());
        assertEquals(List.of(), exact.queried);
    }

    @Test
    void suspect_isReported_countedOnlyWithoutAnExactTier() {
        FakeExact exact = new FakeExact();
        Layer layer = layer("nightly", exact, "bad.example");
        add("good.example", Place.LINK, true);
        assertFalse(lookup.anySuspect(batch, lease(layer)));
        assertEquals(1, counts.keys());
        assertEquals(1, counts.filter("nightly", KeyKind.DOMAIN).keys());
        addKey("bad.example", false);
        assertTrue(lookup.anySuspect(batch, lease(layer)));
        assertTrue(lookup.anySuspect(batch, lease(layer("hourly", exact), layer)));
        assertEquals(1, counts.keys());
        assertEquals(List.of(), exact.queried);
    }

    @Test
    void listingsThatDoNotCountAreNoneAndHideNoDoubt() {
        ExactLookup exact = mock();
        when(exact.lookup(any(), any()))
                .thenReturn(List.of(
                        new FakeExact()
                                .lists("bad.example", Match.SUFFIX, EVERYWHERE)
                                .answer(new Key(KeyKind.DOMAIN, "bad.example")),
                        new ExactAnswer.Unknown("why")));
        add("www.bad.example", Place.LINK, true);
        addKey("bad.example", false);
        LayerLease lease = lease(layer("nightly", exact, "www.bad.example", "bad.example"));
        assertInstanceOf(
                Verdict.Listed.class,
                lookup.evaluate(batch, lease, listing -> true).verdict());
        assertInstanceOf(
                Verdict.Unresolved.class,
                lookup.evaluate(batch, lease, listing -> false).verdict());
    }

    @Test
    void answersOfAnotherNumberThanAskedProveNothing() {
        ExactLookup exact = mock();
        when(exact.lookup(any(), any()))
                .thenReturn(List.of())
                .thenReturn(List.of(new ExactAnswer.NotListed(), new ExactAnswer.NotListed()));
        add("bad.example", Place.LINK, true);
        Layer layer = layer("nightly", exact, "bad.example");
        assertInstanceOf(Verdict.Unresolved.class, judge(layer).verdict());
        assertInstanceOf(Verdict.Unresolved.class, judge(layer).verdict());
    }

    @Test
    void withoutALayerNothingIsClean() {
        add("bad.example", Place.LINK, true);
        assertEquals(new Verdict.Unresolved("no snapshot", Set.of()), judge().verdict());
    }

    @Test
    void aListedKeyIsFoundWithItsListing() {
        FakeExact exact = new FakeExact().lists("bad.example", Match.SUFFIX, EVERYWHERE);
        add("www.bad.example", Place.LINK, true);
        addKey("bad.example", false);
        LookupResult lookupResult = judge(layer("nightly", exact, "bad.example"));
        Verdict.Listed listed = assertInstanceOf(Verdict.Listed.class, lookupResult.verdict());
        assertEquals("bad.example", listed.listings().getFirst().key().text());
        assertEquals(
                "www.bad.example",
                lookupResult.findings().getFirst().identifier().value());
    }

    @Test
    void anExactListingDoesNotReachWhatIsBelowIt() {
        FakeExact exact = new FakeExact().lists("bad.example", Match.EXACT, EVERYWHERE);
        add("www.bad.example", Place.LINK, true);
        addKey("bad.example", false);
        assertInstanceOf(
                Verdict.Clean.class,
                judge(layer("nightly", exact, "bad.example")).verdict());
    }

    @Test
    void aFeedIsOnlyAskedForWhatItIsUsedFor() {
        FakeExact exact = new FakeExact().lists("mailbox.example", Match.SUFFIX, Set.of(Use.SENDER, Use.HEADER));
        add("mailbox.example", Place.LINK, true);
        add("mailbox.example", Place.ENVELOPE, true);
        LookupResult lookupResult = judge(layer("nightly", exact, "mailbox.example"));
        assertEquals(
                List.of(Place.ENVELOPE),
                lookupResult.findings().stream()
                        .map(finding -> finding.identifier().place())
                        .toList());
    }

    @Test
    void everyFilterHasTotalsOfItsOwn() {
        FakeExact exact = new FakeExact().lists("bad.example", Match.SUFFIX, EVERYWHERE);
        add("bad.example", Place.LINK, true);
        add("innocent.example", Place.LINK, true);
        add("good.example", Place.LINK, true);
        judge(layer("nightly", exact, "bad.example", "innocent.example"), layer("hourly", exact, "bad.example"));
        FilterCounts nightly = counts.filter("nightly", KeyKind.DOMAIN);
        assertEquals(
                List.of(3L, 2L, 1L, 1L, 0L),
                List.of(nightly.keys(), nightly.suspects(), nightly.confirmed(), nightly.refuted(), nightly.unknown()));
        assertEquals(0.5, nightly.refutedRate());
        assertEquals(1, counts.filter("hourly", KeyKind.DOMAIN).suspects());
        assertEquals(0, counts.filter("nightly", KeyKind.URL).keys());
        assertEquals(Set.of("nightly", "hourly"), counts.filters().keySet());
    }

    @Test
    void aKeyThatIsHeldAndTakenBackIsNoFalsePositiveOfTheFilter() {
        counts.countAnswer("nightly", KeyKind.DOMAIN, new ExactAnswer.NotListed(true));
        counts.countAnswer("nightly", KeyKind.DOMAIN, new ExactAnswer.NotListed());
        FilterCounts nightly = counts.filter("nightly", KeyKind.DOMAIN);
        assertEquals(List.of(1L, 1L), List.of(nightly.confirmed(), nightly.refuted()));
        assertEquals(List.of(1L, 1L), List.of(counts.confirmed(), counts.refuted()));
    }

    @Test
    void reasonsAreCountedByTheirFirstWordsAndBoundedInNumber() {
        for (String reason : List.of(
                "exact store: deadline passed",
                "exact store /var/x/20260101T000000Z: IO error",
                "exact store var/snapshots/nightly: IO error",
                "service is behind",
                "answered 503",
                "192.0.2.1 is gone",
                "")) {
            counts.countAnswer("nightly", KeyKind.URL, new ExactAnswer.Unknown(reason));
        }
        assertEquals(
                Map.of(
                        "exact store: deadline passed",
                        1L,
                        "exact store",
                        2L,
                        "service is behind",
                        1L,
                        "answered",
                        1L,
                        "other",
                        2L),
                counts.unknownByReason());
        for (char a = 'a'; a <= 'z'; a++) {
            for (char b = 'a'; b <= 'z'; b++) {
                counts.countAnswer("nightly", KeyKind.URL, new ExactAnswer.Unknown("a" + a + b));
            }
        }
        Map<String, Long> bounded = counts.unknownByReason();
        assertEquals(LookupCounts.MAX_REASONS, bounded.size());
        assertEquals(
                counts.unknown(),
                bounded.values().stream().mapToLong(Long::longValue).sum());
    }

    @Test
    void aFalsePositiveOfTheFilterIsRefutedAndCounted() {
        add("innocent.example", Place.LINK, true);
        LookupResult lookupResult = judge(layer("nightly", new FakeExact(), "innocent.example"));
        assertInstanceOf(Verdict.Clean.class, lookupResult.verdict());
        assertEquals(1, lookupResult.refuted());
        assertEquals(1, counts.refuted());
    }

    @Test
    void suspectWithoutAnswer_isUnresolvedWithItsPossibleCategories() {
        FakeExact exact = new FakeExact();
        exact.broken = true;
        add("bad.example", Place.LINK, true);
        Verdict verdict = judge(layer("nightly", exact, "bad.example")).verdict();
        Verdict.Unresolved unresolved = assertInstanceOf(Verdict.Unresolved.class, verdict);
        assertEquals(Set.of("phishing"), unresolved.categories());
        assertTrue(unresolved.reason().contains("nightly"), unresolved.reason());
    }

    @Test
    void listedByOneLayerWinsOverUnresolvedInAnother() {
        FakeExact broken = new FakeExact();
        broken.broken = true;
        FakeExact exact = new FakeExact().lists("bad.example", Match.SUFFIX, EVERYWHERE);
        add("bad.example", Place.LINK, true);
        LookupResult lookupResult =
                judge(layer("nightly", broken, "bad.example"), layer("hourly", exact, "bad.example"));
        assertInstanceOf(Verdict.Listed.class, lookupResult.verdict());
    }

    @Test
    void allSuspectsOfALayerGoOutInOneBatchAndEachKeyOnce() {
        FakeExact exact = new FakeExact().lists("bad.example", Match.SUFFIX, EVERYWHERE);
        add("bad.example", Place.LINK, true);
        add("worse.example", Place.TEXT, true);
        add("bad.example", Place.ORIGINATOR, true);
        LookupResult lookupResult = judge(layer("nightly", exact, "bad.example", "worse.example"));
        assertEquals(1, exact.batches);
        assertEquals(2, exact.queried.size());
        assertEquals(2, lookupResult.findings().size());
    }

    @Test
    void keysOfAKindWithoutAFilterAreClean() {
        batch.begin(new Identifier(KeyKind.URL, "bad.example/", Place.LINK, "link"));
        batch.append("bad.example").endKey(KeyKind.URL, true);
        assertInstanceOf(
                Verdict.Clean.class,
                judge(layer("nightly", new FakeExact(), "bad.example")).verdict());
    }

    @Test
    void withAFilterThatCannotBeReadTheExactTierDecides(@TempDir Path folder) throws IOException {
        FakeExact exact = new FakeExact().lists("bad.example", Match.SUFFIX, EVERYWHERE);
        add("bad.example", Place.LINK, true);
        add("good.example", Place.LINK, true);
        try (FileChannel file = FileChannel.open(folder.resolve("filter"), CREATE, READ, WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, PARAMETERS.fileBytes(), arena);
            Layer layer = layer("nightly", exact, mapped, "bad.example");
            file.truncate(0);
            LookupResult lookupResult = judge(layer);
            Verdict.Listed listed = assertInstanceOf(Verdict.Listed.class, lookupResult.verdict());
            assertEquals("bad.example", listed.listings().getFirst().key().text());
            assertEquals(2, exact.queried.size());
            assertEquals(1, counts.unreadableFilters());
            assertEquals(List.of("nightly"), unreadable);
        }
    }

    private void add(String domain, Place place, boolean itself) {
        batch.begin(new Identifier(KeyKind.DOMAIN, domain, place, place.label()));
        addKey(domain, itself);
    }

    private void addKey(String domain, boolean itself) {
        batch.append(domain).endKey(KeyKind.DOMAIN, itself);
    }

    private LookupResult judge(Layer... layers) {
        return lookup.evaluate(batch, lease(layers));
    }

    private static LayerLease lease(Layer... layers) {
        return new LayerLease() {
            @Override
            public List<Layer> layers() {
                return List.of(layers);
            }

            @Override
            public PublicSuffixes suffixes() {
                return PublicSuffixes.bundled();
            }

            @Override
            public void close() {}
        };
    }

    private static Layer layer(String name, ExactLookup exact, String... domains) {
        return layer(name, exact, MemorySegment.ofArray(new byte[(int) PARAMETERS.fileBytes()]), domains);
    }

    private static Layer layer(String name, ExactLookup exact, MemorySegment bytesOfFilter, String... domains) {
        BloomFilterBuilder builder = new BloomFilterBuilder(bytesOfFilter, PARAMETERS);
        for (String domain : domains) {
            byte[] bytes = domain.getBytes(StandardCharsets.US_ASCII);
            builder.add(bytes, 0, bytes.length);
        }
        BloomFilter filter = builder.finish();
        return new Layer(
                name,
                "g1",
                Instant.EPOCH,
                Map.of(KeyKind.DOMAIN, filter),
                Map.of(KeyKind.DOMAIN, Set.of("phishing")),
                exact);
    }

    /// An exact tier that holds what a test tells it.
    private static final class FakeExact implements ExactLookup {
        final List<Key> queried = new ArrayList<>();
        int batches;
        boolean broken;
        private final Map<String, Listing> listings = new HashMap<>();

        FakeExact lists(String domain, Match match, Set<Use> uses) {
            Key key = new Key(KeyKind.DOMAIN, domain);
            listings.put(domain, new Listing("feed", "phishing", key, match, uses, Instant.EPOCH, Instant.EPOCH, 0));
            return this;
        }

        @Override
        public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
            batches++;
            queried.addAll(keys);
            return keys.stream().map(this::answer).toList();
        }

        private ExactAnswer answer(Key key) {
            if (broken) {
                return new ExactAnswer.Unknown("broken");
            }
            Listing listing = listings.get(key.text());
            return listing == null ? new ExactAnswer.NotListed() : new ExactAnswer.Listed(List.of(listing));
        }

        @Override
        public void close() {}
    }
}
