package org.bloomgate.lookup.dnsbl;

import static org.bloomgate.lookup.remote.HeldListings.key;
import static org.bloomgate.lookup.remote.HeldListings.listing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.dns.DnsReply;
import org.bloomgate.lookup.remote.HeldListings;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Listing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DnsConfirmationTest {
    private static final Duration TIME = Duration.ofMillis(250);
    private static final Map<String, String> ANSWERS = Map.of("127.0.0.2", "phishing", "127.0.0.4", "malware");
    private static final ConfirmedFeed DBL =
            new ConfirmedFeed("dbl", ZoneSettings.of(FakeDns.ZONE), new ZoneAnswers("spam", ANSWERS, Map.of()));

    private final FakeDns dns = new FakeDns();
    private final Zones zones = new Zones(dns.client(), InstantSource.fixed(Instant.EPOCH));
    private final HeldListings held = new HeldListings();
    private final ExactLookup tier = zones.over(held);

    @BeforeEach
    void confirmOneFeed() {
        zones.use(List.of(DBL), List.of());
    }

    @AfterEach
    void close() {
        zones.close();
    }

    private ExactAnswer ask(String domain) {
        return tier.lookup(List.of(key(domain)), TIME).getFirst();
    }

    @Test
    void theZoneGivesTheCategory() {
        held.holds(listing("dbl", "spam", "bad.example"));
        dns.set("bad.example", FakeDns.addresses(60, "127.0.0.2"));
        assertEquals(new ExactAnswer.Listed(List.of(listing("dbl", "phishing", "bad.example"))), ask("bad.example"));
        held.holds(listing("dbl", "spam", "worse.example"));
        dns.set("worse.example", FakeDns.addresses(60, "127.0.0.2", "127.0.0.4"));
        assertEquals(
                new ExactAnswer.Listed(List.of(
                        listing("dbl", "malware", "worse.example"), listing("dbl", "phishing", "worse.example"))),
                ask("worse.example"));
    }

    @Test
    void whatTheZoneDoesNotHoldIsNotListed() {
        held.holds(listing("dbl", "spam", "delisted.example"));
        assertEquals(new ExactAnswer.NotListed(true), ask("delisted.example"));
        assertEquals(1, dns.queried("delisted.example"));
    }

    @Test
    void whatCannotBeBelievedIsUnknownInEveryCategoryItMayHave() {
        Listing listing = listing("dbl", "spam", "bad.example");
        held.holds(listing);
        for (DnsReply odd : List.of(
                FakeDns.failed(),
                FakeDns.addresses(60, "127.255.255.254"),
                FakeDns.addresses(60, "192.0.2.1"),
                FakeDns.addresses(60, "127.0.0.9"))) {
            Zones fresh = new Zones(dns.client(), InstantSource.fixed(Instant.EPOCH));
            dns.set("bad.example", odd);
            fresh.use(List.of(DBL), List.of());
            ExactAnswer.Unknown unknown = assertInstanceOf(
                    ExactAnswer.Unknown.class,
                    fresh.over(held).lookup(List.of(key("bad.example")), TIME).getFirst());
            assertEquals(List.of(), unknown.listed());
            assertEquals(
                    Set.of(listing("dbl", "phishing", "bad.example"), listing("dbl", "malware", "bad.example")),
                    Set.copyOf(unknown.doubtful()));
            fresh.close();
        }
    }

    @Test
    void anotherFeedThatReachesAsFarSettlesIt() {
        Listing other = listing("other", "tracking", "bad.example");
        held.holds(listing("dbl", "spam", "bad.example")).holds(other);
        dns.set("bad.example", FakeDns.failed());
        assertEquals(new ExactAnswer.Listed(List.of(other)), ask("bad.example"));
        dns.set("bad.example", FakeDns.absent(60));
        assertEquals(new ExactAnswer.Listed(List.of(other)), ask("bad.example"));
    }

    @Test
    void anotherFeedThatReachesLessFarDoesNot() {
        Set<Use> everywhere = Set.of(Use.values());
        Listing senders = listing("other", "tracking", "a.example", Match.SUFFIX, Set.of(Use.SENDER));
        Listing itself = listing("other", "tracking", "b.example", Match.EXACT, everywhere);
        held.holds(listing("dbl", "spam", "a.example")).holds(senders);
        held.holds(listing("dbl", "spam", "b.example")).holds(itself);
        dns.set("a.example", FakeDns.failed());
        dns.set("b.example", FakeDns.failed());
        assertEquals(
                List.of(senders),
                assertInstanceOf(ExactAnswer.Unknown.class, ask("a.example")).listed());
        assertEquals(
                List.of(itself),
                assertInstanceOf(ExactAnswer.Unknown.class, ask("b.example")).listed());
        held.holds(listing("dbl", "spam", "c.example", Match.EXACT, everywhere))
                .holds(listing("other", "tracking", "c.example", Match.EXACT, everywhere));
        dns.set("c.example", FakeDns.failed());
        assertInstanceOf(ExactAnswer.Listed.class, ask("c.example"));
    }

    @Test
    void listingsOfOtherFeedsAndWhatIsNotListedAskNobody() {
        Listing other = listing("other", "tracking", "tracker.example");
        held.holds(other);
        assertEquals(
                List.of(
                        new ExactAnswer.Listed(List.of(other)),
                        new ExactAnswer.NotListed(),
                        new ExactAnswer.Unknown("damaged")),
                tier.lookup(List.of(key("tracker.example"), key("good.example"), key("unreadable.example")), TIME));
        assertEquals(
                0, dns.queried("tracker.example") + dns.queried("good.example") + dns.queried("unreadable.example"));
    }

    @Test
    void allQuestionsOfABatchAreUnderWayTogether() {
        for (String host : List.of("a.example", "b.example", "c.example")) {
            held.holds(listing("dbl", "spam", host));
            dns.hold(host);
        }
        assertEquals(
                3,
                tier
                        .lookup(List.of(key("a.example"), key("b.example"), key("c.example")), Duration.ofMillis(1))
                        .stream()
                        .filter(ExactAnswer.Unknown.class::isInstance)
                        .count());
        assertEquals(
                List.of(1L, 1L, 1L),
                List.of(dns.queried("a.example"), dns.queried("b.example"), dns.queried("c.example")));
        dns.release("a.example", FakeDns.addresses(60, "127.0.0.2"));
        assertInstanceOf(ExactAnswer.Listed.class, ask("a.example"));
        assertEquals(1, dns.queried("a.example"));
    }

    @Test
    void aKindWithoutAConventionIsUnknown() {
        Key url = new Key(KeyKind.URL, "bad.example/x");
        held.holds(new Listing("dbl", "spam", url, Match.SUFFIX, Set.of(Use.LINK), Instant.EPOCH, Instant.EPOCH, 0));
        assertInstanceOf(
                ExactAnswer.Unknown.class, tier.lookup(List.of(url), TIME).getFirst());
    }

    @Test
    void exchangesShowTheQuestionTheAnswerAndWhatItMeans() {
        held.holds(listing("dbl", "spam", "bad.example")).holds(listing("other", "tracking", "bad.example"));
        dns.set("bad.example", FakeDns.addresses(60, "127.0.0.2"));
        assertEquals(
                List.of(new ZoneExchange(
                        "dbl", "dbl.example", "bad.example.dbl.example", "127.0.0.2 (TTL 60 s)", "listed as phishing")),
                ((DnsConfirmation) tier).exchanges(key("bad.example"), TIME));
        held.holds(listing("dbl", "spam", "delisted.example")).holds(listing("dbl", "spam", "odd.example"));
        dns.set("odd.example", FakeDns.failed());
        assertEquals("not listed", exchange("delisted.example").meaning());
        assertEquals("no address (TTL 60 s)", exchange("delisted.example").answer());
        assertEquals("cannot say", exchange("odd.example").meaning());
        assertEquals(List.of(), ((DnsConfirmation) tier).exchanges(key("good.example"), TIME));
    }

    private ZoneExchange exchange(String domain) {
        return ((DnsConfirmation) tier).exchanges(key(domain), TIME).getFirst();
    }

    @Test
    void feedsThatAreNoLongerConfirmedStandForThemselves() {
        Listing listing = listing("dbl", "spam", "delisted.example");
        held.holds(listing);
        assertEquals(new ExactAnswer.NotListed(true), ask("delisted.example"));
        zones.use(List.of(), List.of());
        assertEquals(new ExactAnswer.Listed(List.of(listing)), ask("delisted.example"));
        assertEquals(List.of(), zones.status());
    }

    @Test
    void aZoneThatStaysKeepsItsAnswers() {
        held.holds(listing("dbl", "spam", "bad.example"));
        dns.set("bad.example", FakeDns.addresses(60, "127.0.0.2"));
        ask("bad.example");
        zones.use(
                List.of(new ConfirmedFeed(
                        "dbl", ZoneSettings.of(FakeDns.ZONE), new ZoneAnswers("spam", Map.of(), Map.of()))),
                List.of());
        assertEquals(new ExactAnswer.Listed(List.of(listing("dbl", "spam", "bad.example"))), ask("bad.example"));
        assertEquals(1, dns.queried("bad.example"));
        assertEquals(1, dns.queried("test"));
        assertEquals(FakeDns.ZONE, zones.status().getFirst().zone());
    }

    @Test
    void localStore_isVisible_closingClosesOnlyTheTier() {
        assertSame(held, tier.local().orElseThrow());
        tier.close();
        assertTrue(held.closed);
        assertEquals(1, zones.status().size());
    }
}
