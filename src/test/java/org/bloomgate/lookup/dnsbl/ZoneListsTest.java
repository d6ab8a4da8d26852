package org.bloomgate.lookup.dnsbl;

import static org.bloomgate.lookup.remote.HeldListings.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
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
import org.junit.jupiter.api.Test;

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
        return new QueriedFeed(
                new ConfirmedFeed("asked", ZoneSettings.of(FakeDns.ZONE), new ZoneAnswers("spam", answers, Map.of())),
                kind,
                Match.SUFFIX,
                Set.of(Use.LINK, Use.SENDER),
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

    @Test
    void aMessageFullOfNamesIsNoFloodOfQuestions() {
        zones.use(List.of(), List.of(list(KeyKind.DOMAIN, TIME, Map.of())));
        String[] names =
                IntStream.range(0, 200).mapToObj(i -> "n" + i + ".example").toArray(String[]::new);
        dns.set("n63.example", FakeDns.addresses(60, "127.0.0.2"));
        dns.set("n64.example", FakeDns.addresses(60, "127.0.0.2"));
        assertEquals(
                List.of("n63.example"),
                judge(names).findings().stream()
                        .map(finding -> finding.identifier().value())
                        .toList());
        assertEquals(0, dns.queried("n64.example"));
    }

    private LookupResult judge(String... names) {
        KeyBatch batch = new KeyBatch();
        for (String name : names) {
            batch.begin(new Identifier(KeyKind.DOMAIN, name, Place.LINK, "link"));
            batch.append(key(name).bytes(), 0, name.length()).endKey(KeyKind.DOMAIN, true);
        }
        LayerLease lease = new Lease(zones.liveBlocklists());
        assertTrue(lease.kinds().contains(KeyKind.DOMAIN));
        assertFalse(new TwoTierLookup(TIME, new LookupCounts()).anySuspect(batch, lease));
        return new TwoTierLookup(TIME, counts).evaluate(batch, lease);
    }

    private record Lease(Optional<LiveBlocklists> liveBlocklists) implements NoLayers {}
}
