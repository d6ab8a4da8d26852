package org.bloomgate.decision.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {
    private static final String SOMEBODY = "somebody@dest.example";

    private final Policy policy = new Policy(
            RecordCopy.with(
                    PolicyOptions.defaults(),
                    "recipients",
                    Map.of(MailboxPattern.of("Lists.Example"), OverridesFor.everyPlace(Action.TAG))),
            Map.of("default", Action.TAG, "malware", Action.DEFER, "spam", Action.PASS, "worst", Action.REJECT));

    @ParameterizedTest
    @CsvSource({
        "ENVELOPE,REJECT",
        "ORIGINATOR,REJECT",
        "LINK,REJECT",
        "TEXT,REJECT",
        "PDF,REJECT",
        "ATTACHMENT,REJECT",
        "SCHEMELESS,TAG",
        "SCRIPT,TAG",
        "SCRIPT_ATTACHMENT,REJECT",
        "RAW,TAG",
        "MESSAGE_ID,TAG",
        "DKIM,TAG",
        "CONTENT,TAG"
    })
    void aListingActsByThePlaceItWasSeenAt(Place place, Action action) {
        assertEquals(action, policy.rule(listedAt(place), Set.of(), SOMEBODY).action());
    }

    @Test
    void linksWithAnUnknownTargetPassUntilPolicyTagsThem() {
        assertEquals(Action.PASS, policy.unknownTarget(SOMEBODY).action());
        assertEquals(Action.PASS, policy.unknownTarget("a@lists.example").action());
        PolicyOptions tagging =
                RecordCopy.with(PolicyOptions.defaults(), "listed", Map.of(Place.UNKNOWN_TARGET, Action.TAG));
        assertEquals(
                Action.TAG,
                new Policy(tagging, Map.of()).unknownTarget(SOMEBODY).action());
    }

    @Test
    void nothingFoundPasses() {
        assertEquals(
                Action.PASS,
                policy.rule(LookupResult.NOTHING, Set.of(), SOMEBODY).action());
    }

    @Test
    void theHardestOfSeveralFindingsDecides() {
        LookupResult both = listedAt(Place.RAW).and(listedAt(Place.LINK)).and(listedAt(Place.DKIM));
        assertEquals(Action.REJECT, policy.rule(both, Set.of(), SOMEBODY).action());
    }

    @Test
    void aRecipientDomainMayWantSomethingElse() {
        assertEquals(
                Action.TAG,
                policy.rule(listedAt(Place.LINK), Set.of(), "team@LISTS.example")
                        .action());
    }

    @ParameterizedTest
    @CsvSource({"postmaster@dest.example", "Abuse@dest.example", "postmaster"})
    void postmasterAndAbuseAreNeverRefused(String recipient) {
        assertEquals(
                Action.TAG,
                policy.rule(listedAt(Place.ENVELOPE), Set.of(), recipient).action());
    }

    @ParameterizedTest
    @CsvSource({"malware,DEFER", "phishing,TAG", "spam,PASS"})
    void anUnresolvedSuspectActsByCategory(String category, Action action) {
        assertEquals(
                action,
                policy.rule(unresolved(Set.of(category)), Set.of(), SOMEBODY).action());
    }

    @Test
    void ofSeveralPossibleCategoriesTheHardestCounts() {
        assertEquals(
                Action.DEFER,
                policy.rule(unresolved(Set.of("spam", "malware")), Set.of(), SOMEBODY)
                        .action());
    }

    @Test
    void whatCouldNotBeAskedIsNeverRefusedForGood() {
        assertEquals(
                Action.DEFER,
                policy.rule(unresolved(Set.of("worst")), Set.of(), SOMEBODY).action());
    }

    @Test
    void aLimitThatWasReachedIsNamedInTheReason() {
        PolicyResult result = policy.rule(LookupResult.NOTHING, Set.of(Limit.PARTS), SOMEBODY);
        assertEquals(Action.TAG, result.action());
        assertTrue(result.reason().contains("parts"));
    }

    @Test
    void withoutASnapshotItsOwnLineDecides() {
        assertEquals(Action.TAG, policy.withoutSnapshot("no snapshot", SOMEBODY).action());
    }

    @ParameterizedTest
    @CsvSource({
        "REJECT,REJECT,REJECT",
        "REJECT,TAG,TAG",
        "PASS,REJECT,TAG",
        "TAG,PASS,TAG",
        "REJECT,QUARANTINE,QUARANTINE",
        "DEFER,DISCARD,DEFER"
    })
    void recipientsWhoShareAMessageShareTheMilderActionButATagAtLeast(Action one, Action other, Action shared) {
        PolicyResult first = new PolicyResult(one, List.of(), "first");
        PolicyResult second = new PolicyResult(other, List.of(), "second");
        assertEquals(shared, first.combineRecipients(second).action());
        assertEquals(shared, second.combineRecipients(first).action());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[SUSPECT]", "*", "Spam? (by our lists)"})
    void aSubjectPrefixIsPrintable(String prefix) {
        assertEquals(prefix, withPrefix(prefix).subjectPrefix());
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a ", " a", "a\r\nBcc: b", "a\0", "\u00dcber", "a\n"})
    void anyOtherSubjectPrefixIsRefused(String prefix) {
        assertThrows(IllegalArgumentException.class, () -> withPrefix(prefix));
        assertThrows(IllegalArgumentException.class, () -> withPrefix("x".repeat(101)));
    }

    private static PolicyOptions withPrefix(String prefix) {
        return new PolicyOptions(
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Action.TAG,
                Map.of(),
                prefix,
                ReplyText.SHIPPED,
                false,
                PolicyOptions.defaults().helo(),
                NewRecipientLimits.NOTHING,
                Map.of());
    }

    private static LookupResult listedAt(Place place) {
        Key key = new Key(KeyKind.DOMAIN, "bad.example");
        Listing listing = new Listing(
                "feed", "phishing", key, Match.SUFFIX, Set.of(Use.values()), Instant.EPOCH, Instant.EPOCH, 0);
        return found(place, new Verdict.Listed(List.of(listing)));
    }

    private static LookupResult unresolved(Set<String> categories) {
        return found(Place.LINK, new Verdict.Unresolved("slow", categories));
    }

    private static LookupResult found(Place place, Verdict verdict) {
        Identifier identifier = new Identifier(KeyKind.DOMAIN, "bad.example", place, place.label());
        return new LookupResult(List.of(new Finding(0, identifier, verdict)), new Verdict.Clean(), 1, 1, 0);
    }
}
