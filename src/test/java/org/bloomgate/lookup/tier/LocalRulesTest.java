package org.bloomgate.lookup.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.key.Use;
import org.junit.jupiter.api.Test;

class LocalRulesTest {
    private static final Key BAD = domain("bad.example");
    private static final Key GOOD = domain("good.example");
    private static final Key WEAK = new Key(KeyKind.PASSWORD, "aa".repeat(20));
    private static final Key WEAKER = new Key(KeyKind.PASSWORD, "bb".repeat(20));
    private static final byte[] OPEN = {};

    private final KeyBatch batch = new KeyBatch();

    private static Key domain(String name) {
        return new Key(KeyKind.DOMAIN, name);
    }

    private static Listing listing(Key key, long count) {
        return new Listing(
                "local", "phishing", key, Match.SUFFIX, Set.of(Use.values()), Instant.EPOCH, Instant.EPOCH, count);
    }

    private static ListingException exception(Key key, Match match, String recipientDomain) {
        Optional<String> recipients = Optional.of(recipientDomain).filter(name -> !name.isEmpty());
        Entry.Scope scope = new Entry.Scope(Optional.empty(), Optional.empty(), recipients);
        return Exceptions.of(key, match, scope);
    }

    private static LocalRules listing(Key... keys) {
        return new LocalRules(List.of(keys).stream().map(key -> listing(key, 7)).toList(), List.of(), 42);
    }

    private static LocalRules exempting(ListingException... exceptions) {
        return new LocalRules(List.of(listing(BAD, 0)), List.of(exceptions), 42);
    }

    private void add(Key key, boolean itself) {
        batch.begin(new Identifier(KeyKind.DOMAIN, key.text(), Place.LINK, "link"));
        batch.append(key.text()).endKey(key.kind(), itself);
    }

    private LookupResult judge(LocalRules rules) {
        return new TwoTierLookup(Duration.ofSeconds(5), new LookupCounts()).evaluate(batch, new LayerLease() {
            @Override
            public List<Layer> layers() {
                return List.of();
            }

            @Override
            public PublicSuffixes suffixes() {
                return PublicSuffixes.bundled();
            }

            @Override
            public LocalRules local() {
                return rules;
            }

            @Override
            public void close() {}
        });
    }

    @Test
    void whatOperatorsListIsListedWithoutAFilter() {
        add(GOOD, true);
        add(BAD, true);
        LookupResult lookupResult = judge(listing(BAD));
        Verdict.Listed listed = assertInstanceOf(Verdict.Listed.class, lookupResult.verdict());
        assertEquals(BAD, listed.listings().getFirst().key());
        assertEquals(1, lookupResult.findings().getFirst().position());
        assertEquals(1, lookupResult.suspects());
    }

    @Test
    void theLayerHasTheKindsThatAreListedAndIsNoSnapshot() {
        LocalRules rules = listing(BAD, WEAK);
        assertEquals(Set.of(KeyKind.DOMAIN, KeyKind.PASSWORD), rules.kinds());
        assertEquals(LocalRules.LAYER, rules.layer().name());
        assertEquals(Map.of(), rules.layer().filters());
        assertEquals(Set.of(), LocalRules.NONE.kinds());
    }

    @Test
    void anExemptionOfADomainCoversWhatIsBelowItOnlyByItsSuffix() {
        add(BAD, false);
        Set<Integer> first = Set.of(0);
        ListingException exact = exception(BAD, Match.EXACT, "");
        ListingException suffix = exception(BAD, Match.SUFFIX, "");
        assertEquals(Map.of(0, List.of()), exempting(exact).covering(batch, first, () -> SenderNames.NONE));
        assertEquals(
                Map.of(0, List.of(suffix)), exempting(exact, suffix).covering(batch, first, () -> SenderNames.NONE));
        add(BAD, true);
        assertEquals(Map.of(1, List.of(exact)), exempting(exact).covering(batch, Set.of(1), () -> SenderNames.NONE));
        assertEquals(Map.of(), exempting(exact).covering(batch, Set.of(), () -> SenderNames.NONE));
    }

    @Test
    void theNarrowestExemptionIsNamedFirst() {
        add(BAD, true);
        ListingException wide = exception(BAD, Match.EXACT, "");
        ListingException narrow = exception(BAD, Match.EXACT, "dest.example");
        assertEquals(
                Map.of(0, List.of(narrow, wide)),
                exempting(wide, narrow).covering(batch, Set.of(0), () -> SenderNames.NONE));
    }

    @Test
    void onlyAnExemptionForEverybodyOverridesAListing() {
        assertTrue(exempting(exception(BAD, Match.EXACT, "")).overrides(BAD, listing(BAD, 0)));
        assertFalse(exempting(exception(BAD, Match.EXACT, "dest.example")).overrides(BAD, listing(BAD, 0)));
        assertFalse(exempting(exception(GOOD, Match.EXACT, "")).overrides(BAD, listing(BAD, 0)));
    }

    @Test
    void passwordsThatAreExemptForEverybodyAreKnownByTheirKeys() {
        LocalRules rules = exempting(
                exception(WEAK, Match.EXACT, ""),
                exception(WEAKER, Match.EXACT, "dest.example"),
                exception(GOOD, Match.EXACT, ""));
        assertEquals(List.of(WEAK), rules.exceptedPasswords());
    }

    @Test
    void recipientDomainsWithAnExemptionOfTheirOwnDiffer() {
        LocalRules rules = exempting(exception(BAD, Match.EXACT, "dest.example"));
        assertFalse(rules.sameFor("dest.example", "other.example"));
        assertFalse(rules.sameFor("other.example", "dest.example"));
        assertTrue(rules.sameFor("dest.example", "dest.example"));
        assertTrue(rules.sameFor("one.example", "other.example"));
    }

    @Test
    void theListingsAnswerOnThisMachine() {
        ExactLookup exact = listing(BAD).layer().exact();
        assertEquals(
                List.of(new ExactAnswer.NotListed(), new ExactAnswer.Listed(List.of(listing(BAD, 7)))),
                exact.lookup(List.of(GOOD, BAD), Duration.ZERO));
        assertSame(exact, exact.local().orElseThrow());
    }

    @Test
    void passwordsAreShownInOrderBetweenTheirBounds() throws IOException {
        OrderedKeyStore ranges =
                (OrderedKeyStore) listing(WEAKER, BAD, WEAK).layer().exact();
        assertEquals(Set.of(20), ranges.passwordDigestBytes());
        assertEquals(List.of("aa 7", "bb 7"), shown(ranges, OPEN, OPEN));
        assertEquals(List.of("aa 7"), shown(ranges, WEAK.bytes(), WEAKER.bytes()));
        assertEquals(List.of("bb 7"), shown(ranges, WEAKER.bytes(), OPEN));
        assertThrows(
                IOException.class,
                () -> ranges.forEach(KeyKind.DOMAIN, OPEN, OPEN, (bytes, from, to, count) -> {
                    throw new AssertionError("a domain was shown");
                }));
    }

    private static List<String> shown(OrderedKeyStore ranges, byte[] from, byte[] to) throws IOException {
        List<String> shown = new ArrayList<>();
        ranges.forEach(KeyKind.PASSWORD, from, to, (bytes, start, end, count) -> {
            assertEquals(20, end - start);
            shown.add(String.format("%02x %d", bytes[start], count));
        });
        return shown;
    }

    @Test
    void judgementsOfOneMessageAddUp() {
        LookupResult both = new LookupResult(List.of(), new Verdict.Clean(), 5, 3, 2)
                .and(new LookupResult(List.of(), new Verdict.Clean(), 10, 6, 4));
        assertEquals(new LookupResult(List.of(), new Verdict.Clean(), 15, 9, 6), both);
    }
}
