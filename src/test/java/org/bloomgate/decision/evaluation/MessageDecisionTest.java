package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;
import org.junit.jupiter.api.Test;

class MessageDecisionTest {
    private static final Listing HARD = listing("hard", "evil.example");
    private static final Listing MILD = listing("mild", "bulk.example");
    private static final Finding IN_DOUBT =
            finding(0, "https://a.example/", new Verdict.Unresolved("silent", Set.of("phishing")));
    private static final Finding OF_MILD = finding(1, "https://bulk.example/", new Verdict.Listed(List.of(MILD)));
    private static final Finding OF_BOTH =
            finding(2, "https://www.evil.example/", new Verdict.Listed(List.of(MILD, HARD)));

    private static Listing listing(String feed, String domain) {
        Key key = new Key(KeyKind.DOMAIN, domain);
        return new Listing(feed, "of " + feed, key, Match.SUFFIX, Set.of(Use.LINK), Instant.EPOCH, Instant.EPOCH, 0);
    }

    private static Finding finding(int position, String url, Verdict found) {
        return new Finding(position, new Identifier(KeyKind.URL, url, Place.TEXT, "text"), found);
    }

    private static MessageDecision decision(Optional<Listing> decisive, Finding... found) {
        PolicyResult result =
                new PolicyResult(Action.REJECT, List.of(OF_BOTH), decisive, "listed at text", true, Map.of());
        LookupResult lookupResult = new LookupResult(List.of(found), new Verdict.Clean(), 3, 3, 0);
        return new MessageDecision(lookupResult, result, Action.REJECT, Set.of());
    }

    @Test
    void theListingThatDecidedIsNamedWithWhatItSpeaksAgainst() {
        MessageDecision decision = decision(Optional.of(HARD), IN_DOUBT, OF_MILD, OF_BOTH);
        assertEquals("hard", decision.feed());
        assertEquals("of hard", decision.category());
        assertEquals("https://www.evil.example/", decision.value());
        assertEquals(List.of(OF_BOTH), decision.findings());
        assertEquals("listed at text", decision.reason());
        assertEquals(Verdict.Kind.LISTED, decision.verdict());
        assertEquals(RecipientSplit.NONE, decision.split());
    }

    @Test
    void aListingThatNoFindingHoldsSpeaksAgainstItsKey() {
        assertEquals(
                "evil.example", decision(Optional.of(HARD), IN_DOUBT, OF_MILD).value());
    }

    @Test
    void whereNoListingDecidedNoneIsNamed() {
        MessageDecision decision = decision(Optional.empty(), OF_BOTH);
        assertEquals("", decision.feed());
        assertEquals("", decision.category());
        assertEquals("", decision.value());
    }
}
