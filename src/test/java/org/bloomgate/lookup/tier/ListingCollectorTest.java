package org.bloomgate.lookup.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
import org.junit.jupiter.api.Test;

/// What becomes of a key whose listings stand in part and are in doubt in part.
class ListingCollectorTest {
    private static final Key BAD = new Key(KeyKind.DOMAIN, "bad.example");
    private static final Listing ANYWHERE = listing("phishing", Match.SUFFIX, Set.of(Use.values()));
    private static final Listing SENDERS = listing("malware", Match.SUFFIX, Set.of(Use.SENDER));
    private static final Listing ITSELF = listing("spam", Match.EXACT, Set.of(Use.values()));

    private final Layer layer = new Layer(
            "nightly",
            "g1",
            Instant.EPOCH,
            Map.of(),
            Map.of(KeyKind.DOMAIN, Set.of("phishing", "malware", "spam")),
            new Silent());
    private final KeyBatch batch = new KeyBatch();

    @Test
    void whatStandsIsSaidBesideWhatIsInDoubt() {
        assertEquals(
                List.of(
                        new Verdict.Unresolved("nightly: why", Set.of("phishing")),
                        new Verdict.Listed(List.of(SENDERS))),
                verdicts(Place.ENVELOPE, true, unknown(List.of(SENDERS), List.of(ANYWHERE))));
    }

    @Test
    void whatStandsElsewhereLeavesTheDoubt() {
        assertEquals(
                List.of(new Verdict.Unresolved("nightly: why", Set.of("phishing"))),
                verdicts(Place.LINK, true, unknown(List.of(SENDERS), List.of(ANYWHERE))));
    }

    @Test
    void aDoubtReachesNoFurtherThanItsListing() {
        assertEquals(List.of(), verdicts(Place.LINK, true, unknown(List.of(), List.of(SENDERS))));
        assertEquals(List.of(), verdicts(Place.LINK, false, unknown(List.of(), List.of(ITSELF))));
        assertEquals(
                List.of(new Verdict.Unresolved("nightly: why", Set.of("spam"))),
                verdicts(Place.LINK, true, unknown(List.of(), List.of(ITSELF))));
    }

    @Test
    void aDoubtAboutNothingInParticularMayBeAnyFeeds() {
        assertEquals(
                List.of(new Verdict.Unresolved("nightly: why", Set.of("phishing", "malware", "spam"))),
                verdicts(Place.LINK, true, new ExactAnswer.Unknown("why")));
    }

    @Test
    void theDoubtsOfAllKeysAddUp() {
        batch.begin(new Identifier(KeyKind.DOMAIN, "bad.example", Place.ENVELOPE, "test"));
        batch.append("bad.example").endKey(KeyKind.DOMAIN, true);
        batch.append("example").endKey(KeyKind.DOMAIN, true);
        ListingCollector answers = new ListingCollector(batch, 0, lease, listing -> true);
        answers.add(unknown(List.of(), List.of(SENDERS)), 0, layer);
        answers.add(unknown(List.of(), List.of(ANYWHERE)), 1, layer);
        assertEquals(
                List.of(new Verdict.Unresolved("nightly: why", Set.of("phishing", "malware"))), answers.verdicts());
    }

    @Test
    void aFeedOnTrialHidesNobodysSilenceAndHelpsNothingToItsNumber() {
        Listing trial = listing("phishing", Match.SUFFIX, Set.of(Use.LINK))
                .withSource(new ListingSource.OfFeed(Optional.empty(), true));
        assertEquals(
                List.of(new Verdict.Unresolved("nightly: why", Set.of("phishing")), new Verdict.Listed(List.of(trial))),
                verdicts(Place.LINK, true, unknown(List.of(trial), List.of(ANYWHERE))));
        assertEquals(
                List.of(new Verdict.Listed(List.of(trial))),
                verdicts(Place.LINK, true, unknown(List.of(trial), List.of(trial))));
    }

    @Test
    void theNarrowerStatementOfAFeedCounts() {
        Key ok = new Key(KeyKind.DOMAIN, "ok.bad.example");
        for (String name : List.of("ok.bad.example", "x.ok.bad.example")) {
            assertEquals(List.of(), verdicts(name, "feed", Set.of(ok), ANYWHERE), name);
        }
        assertEquals(
                List.of(new Verdict.Listed(List.of(ANYWHERE))),
                verdicts("other.bad.example", "feed", Set.of(ok), ANYWHERE));
        Listing narrower = listing(new Key(KeyKind.DOMAIN, "worse.ok.bad.example"));
        assertEquals(
                List.of(new Verdict.Listed(List.of(narrower))),
                verdicts("worse.ok.bad.example", "feed", Set.of(ok), ANYWHERE, narrower));
    }

    @Test
    void ofTwoEqualStatementsTheExceptionCounts() {
        assertEquals(List.of(), verdicts("bad.example", "feed", Set.of(BAD), ANYWHERE));
    }

    @Test
    void anExceptionSpeaksForItsFeedAlone() {
        assertEquals(
                List.of(new Verdict.Listed(List.of(ANYWHERE))),
                verdicts("bad.example", "other", Set.of(BAD), ANYWHERE));
    }

    @Test
    void aNetworkWithinAListedOneCanBeExcepted() {
        Listing network = listing(new Key(KeyKind.NETWORK, "192.0.2.0/24"));
        Layer excepting = excepting("feed", Set.of(new Key(KeyKind.NETWORK, "192.0.2.64/26")));
        batch.begin(new Identifier(KeyKind.NETWORK, "192.0.2.65", Place.LINK, "test"));
        AddressBlock.parse("192.0.2.65/32").append(batch);
        batch.begin(new Identifier(KeyKind.NETWORK, "192.0.2.128", Place.LINK, "test"));
        AddressBlock.parse("192.0.2.128/32").append(batch);

        assertEquals(List.of(), answered(excepting, 0, network));
        assertEquals(List.of(new Verdict.Listed(List.of(network))), answered(excepting, 1, network));
    }

    private List<Verdict> verdicts(String name, String feed, Set<Key> exceptions, Listing... listings) {
        batch.begin(new Identifier(KeyKind.DOMAIN, name, Place.LINK, "test"));
        int first = batch.size();
        for (String rest = name; rest.contains("."); rest = rest.substring(rest.indexOf('.') + 1)) {
            batch.append(rest).endKey(KeyKind.DOMAIN, rest.equals(name));
        }
        Layer excepting = excepting(feed, exceptions);
        ListingCollector answers = new ListingCollector(batch, batch.owner(first), lease, listing -> true);
        for (Listing listing : listings) {
            int position = first;
            while (!batch.key(position).equals(listing.key())) {
                position++;
            }
            answers.add(new ExactAnswer.Listed(List.of(listing)), position, excepting);
        }
        return answers.verdicts();
    }

    private List<Verdict> answered(Layer of, int position, Listing listing) {
        ListingCollector answers = new ListingCollector(batch, batch.owner(position), lease, one -> true);
        answers.add(new ExactAnswer.Listed(List.of(listing)), position, of);
        return answers.verdicts();
    }

    private Layer excepting(String feed, Set<Key> exceptions) {
        return new Layer(
                layer.name(),
                layer.generation(),
                layer.createdAt(),
                layer.filters(),
                layer.networks(),
                layer.categories(),
                layer.listingSources(),
                Map.of(feed, new ListExceptions(exceptions)),
                layer.exact());
    }

    private static Listing listing(Key key) {
        return new Listing(
                "feed", "phishing", key, Match.SUFFIX, Set.of(Use.values()), Instant.EPOCH, Instant.EPOCH, 0);
    }

    private final LayerLease lease = new NoLayers() {};

    private List<Verdict> verdicts(Place place, boolean itself, ExactAnswer answer) {
        batch.begin(new Identifier(KeyKind.DOMAIN, "bad.example", place, "test"));
        batch.append("bad.example").endKey(KeyKind.DOMAIN, itself);
        int position = batch.size() - 1;
        ListingCollector answers = new ListingCollector(batch, batch.owner(position), lease, listing -> true);
        answers.add(answer, position, layer);
        return answers.verdicts();
    }

    private static ExactAnswer unknown(List<Listing> listed, List<Listing> doubtful) {
        return new ExactAnswer.Unknown("why", listed, doubtful);
    }

    private static Listing listing(String category, Match match, Set<Use> uses) {
        return new Listing("feed", category, BAD, match, uses, Instant.EPOCH, Instant.EPOCH, 0);
    }

    private static final class Silent implements ExactLookup {
        @Override
        public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
            return keys.stream()
                    .<ExactAnswer>map(key -> new ExactAnswer.Unknown("silent"))
                    .toList();
        }

        @Override
        public void close() {}
    }
}
