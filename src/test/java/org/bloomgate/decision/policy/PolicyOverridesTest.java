package org.bloomgate.decision.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PolicyOverridesTest {
    private static final String SOMEBODY = "somebody@dest.example";
    private static final Map<String, Action> ON_UNKNOWN = Map.of("default", Action.TAG, "malware", Action.DEFER);

    private static Policy policy(PolicyOptions options) {
        return new Policy(options, ON_UNKNOWN);
    }

    private static PolicyOptions with(String component, Object value) {
        return RecordCopy.with(PolicyOptions.defaults(), component, value);
    }

    @Test
    void anEmptyOverrideChangesNothing() {
        Policy same = policy(with("onNoSnapshot", Action.DEFER)).overriddenBy(PolicyOverrides.defaults());
        assertEquals(Action.DEFER, same.withoutSnapshot("no snapshot", SOMEBODY).action());
        assertEquals(Action.DEFER, unresolved(same, "malware"));
    }

    @Test
    void whatAListenerSaysGoesBeforeAndTheRestIsInherited() {
        Policy own = policy(PolicyOptions.defaults())
                .overriddenBy(new PolicyOverrides(
                        Map.of(Place.RAW, Action.REJECT),
                        Map.of(),
                        Optional.of(Action.DEFER),
                        Map.of(Limit.DEFAULT, Action.QUARANTINE),
                        Map.of("malware", Action.PASS),
                        NewRecipientLimits.NOTHING,
                        Map.of(),
                        Optional.empty(),
                        Optional.empty()));
        assertEquals(Action.DEFER, own.withoutSnapshot("no snapshot", SOMEBODY).action());
        assertEquals(
                Action.QUARANTINE,
                own.rule(LookupResult.NOTHING, Set.of(Limit.PARTS), SOMEBODY).action());
        assertEquals(Action.PASS, unresolved(own, "malware"));
        assertEquals(Action.TAG, unresolved(own, "phishing"));
    }

    @Test
    void mapsOfAListenerAreLaidOverTheGeneralOnes() {
        assertEquals(
                Map.of(Place.RAW, Action.REJECT, Place.LINK, Action.TAG),
                PolicyOverrides.over(
                        Map.of(Place.RAW, Action.PASS, Place.LINK, Action.TAG), Map.of(Place.RAW, Action.REJECT)));
    }

    @Test
    void recipientsWithoutRulesOfTheirOwnShareOneReply() {
        Policy policy = policy(
                with("recipients", Map.of(MailboxPattern.of("lists.example"), OverridesFor.everyPlace(Action.TAG))));
        assertTrue(policy.sameRules(SOMEBODY, "other@DEST.example", LocalRules.NONE));
        assertTrue(policy.sameRules("a@lists.example", "b@Lists.Example", LocalRules.NONE));
        assertTrue(policy.sameRules(SOMEBODY, "other@elsewhere.example", LocalRules.NONE));
        assertFalse(policy.sameRules(SOMEBODY, "a@lists.example", LocalRules.NONE));
    }

    @Test
    void anExemptRecipientSharesNoReplyWithAnotherOne() {
        Policy policy = policy(PolicyOptions.defaults());
        assertFalse(policy.sameRules(SOMEBODY, "postmaster@dest.example", LocalRules.NONE));
        assertTrue(policy.sameRules("abuse@dest.example", "postmaster@dest.example", LocalRules.NONE));
    }

    @Test
    void recipientsWithOtherLocalRulesShareNoReply() {
        LocalRules differing = mock();
        assertFalse(policy(PolicyOptions.defaults()).sameRules(SOMEBODY, "other@dest.example", differing));
    }

    @Test
    void recipientThatIsNeverRejected_keepsMilderResult() {
        Policy policy = policy(PolicyOptions.defaults());
        assertFalse(policy.withoutSnapshot("no snapshot", "postmaster@dest.example")
                .reason()
                .contains("excepted"));
        Policy hard = policy(with("onNoSnapshot", Action.DEFER));
        assertTrue(hard.withoutSnapshot("no snapshot", "postmaster@dest.example")
                .reason()
                .contains("excepted"));
        assertEquals(
                Action.DEFER, hard.withoutSnapshot("no snapshot", "@postmaster").action(), "a domain is no local part");
    }

    @Test
    void theFirstOfEquallyHardRulingsIsTheReason() {
        PolicyResult first = new PolicyResult(Action.TAG, List.of(), "first");
        PolicyResult second = new PolicyResult(Action.TAG, List.of(), "second");
        assertEquals(first, first.takeStricter(second));
        assertEquals(first, first.combineRecipients(second));
        PolicyResult harder = new PolicyResult(Action.REJECT, List.of(), "harder");
        PolicyResult nothing = PolicyResult.PASS;
        assertEquals(
                "harder, recipients differ", nothing.combineRecipients(harder).reason());
        assertEquals(
                "harder, recipients differ", harder.combineRecipients(nothing).reason());
    }

    @Test
    void aPolicySaysWhatItsOptionsSay() {
        assertTrue(policy(with("shadow", true)).shadow(SOMEBODY));
        assertFalse(policy(PolicyOptions.defaults()).shadow(SOMEBODY));
        assertEquals("[X]", policy(with("subjectPrefix", "[X]")).subjectPrefix());
        assertEquals("x".repeat(100), with("subjectPrefix", "x".repeat(100)).subjectPrefix());
    }

    @ParameterizedTest
    @EnumSource
    void anActionIsLabelledByItsName(Action action) {
        assertEquals(action.name().toLowerCase(Locale.ROOT), action.label());
    }

    private static Action unresolved(Policy policy, String category) {
        Identifier identifier = new Identifier(KeyKind.DOMAIN, "bad.example", Place.LINK, "link");
        Finding finding = new Finding(0, identifier, new Verdict.Unresolved("slow", Set.of(category)));
        return policy.rule(new LookupResult(List.of(finding), new Verdict.Clean(), 1, 1, 0), Set.of(), SOMEBODY)
                .action();
    }
}
