package org.bloomgate.lookup.dnsbl;

import static org.bloomgate.lookup.remote.HeldListings.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.lookup.dns.DnsReply;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.LiveBlocklists;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.NoLayers;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ZoneListsTest {
    private static final Duration TIME = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final ListingSource MILD = new ListingSource.OfFeed(Optional.of(Action.TAG), false);

    private final FakeDns dns = new FakeDns();
    private final Zones zones = new Zones(dns.client(), InstantSource.fixed(NOW));
    private final LookupCounts counts = new LookupCounts();

    @AfterEach
    void close() {
        zones.close();
    }

    private static QueriedFeed list(KeyKind kind, Duration budget, Map<String, String> answers) {
        return list(kind, budget, answers, Use.LINK, Use.SENDER);
    }

    private static QueriedFeed list(KeyKind kind, Duration budget, Map<String, String> answers, Use... uses) {
        return new QueriedFeed(
                new ConfirmedFeed("asked", ZoneSettings.of(FakeDns.ZONE), new ZoneAnswers("spam", answers, Map.of())),
                kind,
                Match.SUFFIX,
                Set.of(uses),
                MILD,
                budget);
    }

    private ExactAnswer ask(Key key) {
        return zones.liveBlocklists()
                .orElseThrow()
                .layer()
                .exact()
                .lookup(List.of(key), TIME)
                .getFirst();
    }

    @Test
    void withoutAListNothingIsAsked() {
        zones.use(List.of(), List.of());
        assertEquals(Optional.empty(), zones.liveBlocklists());
    }

    @Test
    void anAnswerGivesTheCategory() {
        zones.use(List.of(), List.of(list(KeyKind.DOMAIN, TIME, Map.of("127.0.0.4", "malware"))));
        dns.set("bad.example", FakeDns.addresses(60, "127.0.0.4"));
        ExactAnswer.Listed listed = assertInstanceOf(ExactAnswer.Listed.class, ask(key("bad.example")));
        Listing listing = listed.listings().getFirst();
        assertEquals(
                List.of("asked", "malware", NOW), List.of(listing.feed(), listing.category(), listing.firstSeen()));
        assertEquals(new ExactAnswer.NotListed(), ask(key("good.example")));
    }

    @Test
    void whatIsLateOddOrAnErrorIsNotListed() {
        zones.use(List.of(), List.of(list(KeyKind.DOMAIN, SOON, Map.of())));
        dns.hold("late.example");
        assertEquals(new ExactAnswer.NotListed(), ask(key("late.example")));
        for (DnsReply odd : List.of(
                FakeDns.failed(),
                FakeDns.addresses(60, "127.255.255.254"),
                FakeDns.addresses(60, "192.0.2.1"),
                FakeDns.addresses(60, "127.0.0.1"))) {
            dns.set("odd.example", odd);
            assertEquals(new ExactAnswer.NotListed(), ask(key("odd.example")), odd::text);
        }
    }

    @Test
    void aZoneThatListsEverythingIsNotBelieved() {
        dns.set("invalid", FakeDns.addresses(60, "127.0.0.2"));
        dns.set("good.example", FakeDns.addresses(60, "127.0.0.2"));
        zones.use(List.of(), List.of(list(KeyKind.DOMAIN, TIME, Map.of())));
        assertEquals(new ExactAnswer.NotListed(), ask(key("good.example")));
        assertEquals(ZoneStatus.State.FAILED, zones.status().getFirst().state());
    }

    @Test
    void addressesAreAskedInReverse() {
        dns.set("test", FakeDns.absent(60));
        dns.set("2.0.0.127", FakeDns.addresses(60, "127.0.0.2"));
        dns.set("7.2.0.192", FakeDns.addresses(60, "127.0.0.2"));
        dns.set("7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2", FakeDns.addresses(60, "127.0.0.2"));
        zones.use(List.of(), List.of(list(KeyKind.NETWORK, TIME, Map.of())));
        assertEquals(ZoneStatus.State.PASSED, zones.status().getFirst().state());
        assertInstanceOf(
                ExactAnswer.Listed.class, ask(AddressBlock.parse("192.0.2.7").key()));
        assertInstanceOf(
                ExactAnswer.Listed.class, ask(AddressBlock.parse("2001:db8::7").key()));
        assertEquals(
                new ExactAnswer.NotListed(), ask(AddressBlock.parse("192.0.2.8").key()));
        assertEquals(
                new ExactAnswer.NotListed(),
                ask(AddressBlock.parse("192.0.2.0/24").key()));
    }

    @Test
    void aMailIsListedByItWithTheWordOfItsFeedAndCountsAsNoSuspect() {
        zones.use(List.of(), List.of(list(KeyKind.DOMAIN, TIME, Map.of())));
        dns.set("bad.example", FakeDns.addresses(60, "127.0.0.2"));
        LookupResult lookupResult = judge("bad.example", "good.example");
        assertEquals(1, lookupResult.findings().size());
        Verdict.Listed listed = assertInstanceOf(
                Verdict.Listed.class, lookupResult.findings().getFirst().verdict());
        assertEquals(MILD, listed.listings().getFirst().source());
        assertEquals(0, counts.suspects());
    }

    /// Keys beside the listed one, before it, after it and around it.
    @Nested
    class Decoys {
        private static final String LISTED = "evil.example";
        private static final Set<Limit> NAMED = Set.of(Limit.ZONE_KEYS);

        enum Order {
            BEFORE,
            AFTER,
            BETWEEN
        }

        @BeforeEach
        void setUp() {
            zones.use(List.of(), List.of(domains(Use.LINK, Use.SENDER, Use.HEADER)));
            dns.set(LISTED, FakeDns.addresses(60, "127.0.0.2"));
        }

        private static QueriedFeed domains(Use... uses) {
            return ZoneListsTest.list(KeyKind.DOMAIN, TIME, Map.of(), uses);
        }

        private LookupResult judge(Order order, Identifier listed, List<Identifier> decoys) {
            List<Identifier> all = new ArrayList<>(decoys);
            all.add(
                    switch (order) {
                        case BEFORE -> all.size();
                        case AFTER -> 0;
                        case BETWEEN -> all.size() / 2;
                    },
                    listed);
            return ZoneListsTest.this.judge(all);
        }

        private static List<Identifier> decoys(int count, String name, Place place) {
            return IntStream.range(0, count)
                    .mapToObj(i -> identifier(String.format(name, i), place))
                    .toList();
        }

        private static boolean finds(LookupResult result) {
            return result.findings().stream()
                    .anyMatch(finding -> finding.identifier().value().equals(LISTED));
        }

        @ParameterizedTest
        @EnumSource
        void asManyKeysAsTheBound_areAllQueried(Order order) {
            LookupResult result = judge(
                    order,
                    identifier(LISTED, Place.LINK),
                    decoys(LiveBlocklists.MAX_QUERIED_KEYS - 1, "d%d.example", Place.LINK));
            assertTrue(finds(result));
            assertEquals(Set.of(), result.limits());
        }

        @ParameterizedTest
        @EnumSource
        void oneKeyMore_namesTheLimit(Order order) {
            LookupResult result = judge(
                    order,
                    identifier(LISTED, Place.LINK),
                    decoys(LiveBlocklists.MAX_QUERIED_KEYS, "d%d.example", Place.LINK));
            assertEquals(NAMED, result.limits());
            assertEquals(LiveBlocklists.MAX_QUERIED_KEYS, dns.queriedNames());
        }

        @ParameterizedTest
        @EnumSource
        void cachedAnswer_isFoundAmongAnyNumber(Order order) {
            assertTrue(finds(ZoneListsTest.this.judge(List.of(identifier(LISTED, Place.LINK)))));
            LookupResult result = judge(order, identifier(LISTED, Place.RAW), decoys(2000, "d%d.example", Place.LINK));
            assertTrue(finds(result));
            assertEquals(NAMED, result.limits());
            assertEquals(LiveBlocklists.MAX_QUERIED_KEYS + 1, dns.queriedNames());
        }

        @ParameterizedTest
        @EnumSource
        void cachedAnswers_takeNoPlace(Order order) {
            ZoneListsTest.this.judge(decoys(40, "d%d.example", Place.LINK));
            ZoneListsTest.this.judge(decoys(80, "d%d.example", Place.LINK));
            LookupResult result = judge(order, identifier(LISTED, Place.TEXT), decoys(80, "d%d.example", Place.LINK));
            assertTrue(finds(result));
            assertEquals(Set.of(), result.limits());
        }

        /// Each place has precedence over all that follow it.
        @Test
        void moreReliablePlace_isQueriedFirst() {
            List<Place> places = List.of(Place.ENVELOPE, Place.ORIGINATOR, Place.LINK, Place.TEXT, Place.RAW);
            int tried = 0;
            for (Order order : Order.values()) {
                for (int i = 0; i < places.size(); i++) {
                    for (Place other : places.subList(i + 1, places.size())) {
                        tried++;
                        String name = "p" + tried + "-%d.example";
                        LookupResult result = judge(order, identifier(LISTED, places.get(i)), decoys(200, name, other));
                        assertTrue(finds(result), places.get(i) + " with decoys at " + other + " " + order);
                        assertEquals(NAMED, result.limits());
                    }
                }
            }
            assertEquals(30, tried);
        }

        @ParameterizedTest
        @EnumSource
        void namesOfOneRegistrableDomain_displaceNoOther(Order order) {
            LookupResult result =
                    judge(order, identifier(LISTED, Place.SCRIPT), decoys(500, "d%d.decoy.example", Place.LINK));
            assertTrue(finds(result));
            assertEquals(NAMED, result.limits());
        }

        /// The choice among equal keys is random: a listed key between 127 others is queried in half of all cases.
        @ParameterizedTest
        @EnumSource
        void equalKeys_areChosenWithoutRegardToOrder(Order order) {
            int found = 0;
            for (int i = 0; i < 40; i++) {
                String listed = "evil" + i + ".example";
                dns.set(listed, FakeDns.addresses(60, "127.0.0.2"));
                found += judge(order, identifier(listed, Place.LINK), decoys(127, "m" + i + "-%d.example", Place.LINK))
                        .findings()
                        .size();
            }
            assertTrue(found > 4 && found < 36, found + " of 40");
        }

        @Test
        void keysAtPlacesThatNoListIsFor_areNotQueried() {
            zones.use(List.of(), List.of(domains(Use.LINK)));
            assertEquals(
                    Set.of(),
                    judge(Order.BEFORE, identifier(LISTED, Place.LINK), decoys(200, "d%d.example", Place.ORIGINATOR))
                            .limits());
            assertEquals(1, dns.queriedNames());
        }
    }

    private static Identifier identifier(String name, Place place) {
        return new Identifier(KeyKind.DOMAIN, name, place, place.label());
    }

    private LookupResult judge(String... names) {
        return judge(Stream.of(names).map(name -> identifier(name, Place.LINK)).toList());
    }

    private LookupResult judge(List<Identifier> identifiers) {
        KeyBatch batch = new KeyBatch();
        for (Identifier identifier : identifiers) {
            batch.begin(identifier);
            batch.append(identifier.value()).endKey(KeyKind.DOMAIN, true);
        }
        LayerLease lease = new Lease(zones.liveBlocklists());
        assertTrue(lease.kinds().contains(KeyKind.DOMAIN));
        assertFalse(new TwoTierLookup(TIME, new LookupCounts()).anySuspect(batch, lease));
        return new TwoTierLookup(TIME, counts).evaluate(batch, lease);
    }

    private record Lease(Optional<LiveBlocklists> liveBlocklists) implements NoLayers {}
}
