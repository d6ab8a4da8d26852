package org.bloomgate.decision.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesByMailboxTest {
    private static final Map<MailboxPattern, PolicyOverrides> NESTED = Map.of(
            MailboxPattern.of(".dest.example"), OverridesFor.everyPlace(Action.TAG),
            MailboxPattern.of(".b.dest.example"), OverridesFor.everyPlace(Action.QUARANTINE),
            MailboxPattern.of("a.b.dest.example"), OverridesFor.everyPlace(Action.PASS),
            MailboxPattern.of("Boss@a.b.DEST.example"), OverridesFor.everyPlace(Action.DEFER),
            MailboxPattern.of("b\u00fccher.example"), OverridesFor.everyPlace(Action.TAG),
            MailboxPattern.of("host"), OverridesFor.everyPlace(Action.TAG));

    @ParameterizedTest
    @CsvSource({
        "u@elsewhere.example, REJECT",
        "u@dest.example, REJECT",
        "u@mydest.example, REJECT",
        "u@x.dest.example, TAG",
        "u@y.x.dest.example, TAG",
        "u@c.b.dest.example, QUARANTINE",
        "u@a.b.dest.example, PASS",
        "u@A.B.Dest.Example, PASS",
        "u@z.a.b.dest.example, QUARANTINE",
        "boss@a.b.dest.example, DEFER",
        "BOSS@a.b.dest.example, DEFER",
        "boss@x.dest.example, TAG",
        "u@xn--bcher-kva.example, TAG",
        "u@b\u00fccher.example, TAG",
        "u@host, TAG",
        "postmaster, TAG",
        "'', REJECT"
    })
    void aMailboxGoesBeforeItsDomainAndThatBeforeOnesAbove(String mailbox, Action action) {
        assertEquals(action, rule(with("recipients", NESTED), mailbox).action());
        if (!mailbox.startsWith("postmaster")) {
            assertEquals(
                    action,
                    rule(with("senders", NESTED).forSender(mailbox), "u@anywhere.example")
                            .action());
        }
    }

    @Test
    void rulesAreLaidOverOneAnotherKeyByKey() {
        Policy policy = with(
                "recipients",
                Map.of(
                        MailboxPattern.of("dest.example"),
                        OverridesFor.categories(Map.of("phishing", Action.TAG)),
                        MailboxPattern.of("boss@dest.example"),
                        OverridesFor.shadow(true)));
        assertEquals(Action.TAG, rule(policy, "boss@dest.example").action());
        assertTrue(policy.shadow("boss@dest.example"));
        assertFalse(policy.shadow("u@dest.example"));
    }

    @Test
    void aRecipientsRuleGoesBeforeASendersRuleAndThatBeforeAListeners() {
        PolicyOptions options = RecordCopy.with(
                RecordCopy.with(
                        PolicyOptions.defaults(),
                        "senders",
                        Map.of(MailboxPattern.of("partner.example"), OverridesFor.everyPlace(Action.TAG))),
                "recipients",
                Map.of(MailboxPattern.of("strict.example"), OverridesFor.everyPlace(Action.REJECT)));
        Policy policy = new Policy(options, Map.of()).overriddenBy(OverridesFor.everyPlace(Action.QUARANTINE));
        assertEquals(Action.QUARANTINE, rule(policy, "u@dest.example").action());
        Policy ofPartner = policy.forSender("s@partner.example");
        assertEquals(Action.TAG, rule(ofPartner, "u@dest.example").action());
        assertEquals(Action.REJECT, rule(ofPartner, "u@strict.example").action());
        assertTrue(rule(ofPartner, "u@dest.example").reason().contains("sender rules"));
        assertTrue(rule(ofPartner, "u@strict.example").reason().contains("recipient rules"));
    }

    @Test
    void limitsAndUnknownsAreRulesOfARecipientAsWell() {
        PolicyOverrides own = new PolicyOverrides(
                Map.of(),
                Map.of(),
                Optional.of(Action.DEFER),
                Map.of(Limit.PARTS, Action.QUARANTINE),
                Map.of("default", Action.PASS),
                NewRecipientLimits.NOTHING,
                Map.of(),
                Optional.empty(),
                Optional.empty());
        Policy policy = with("recipients", Map.of(MailboxPattern.of("dest.example"), own));
        assertEquals(Action.QUARANTINE, partial(policy, Limit.PARTS));
        assertEquals(Action.TAG, partial(policy, Limit.DEPTH));
        assertEquals(Action.PASS, partial(policy, Limit.ENCRYPTED));
        assertEquals(Action.QUARANTINE, partial(policy, Limit.ENCRYPTED, Limit.DEPTH, Limit.PARTS));
        assertEquals(
                Action.DEFER, policy.withoutSnapshot("none", "u@dest.example").action());
        assertEquals(Action.TAG, policy.withoutSnapshot("none", "u@x.example").action());
    }

    @Test
    void whatCannotBeAskedDoesNoMoreThanItWouldWhenListed() {
        Policy policy = new Policy(PolicyOptions.defaults(), Map.of("default", Action.DEFER, "adult", Action.DEFER));
        assertEquals(Action.PASS, unresolved(policy, "tracking"));
        assertEquals(Action.TAG, unresolved(policy, "disposable"));
        assertEquals(Action.DEFER, unresolved(policy, "adult"), "it has a word of its own");
        assertEquals(Action.DEFER, unresolved(policy, "phishing"));
    }

    @Test
    void theSubjectIsMarkedOnlyForCategoriesThatRefuse() {
        Policy policy = with("listed", Map.of(Place.LINK, Action.TAG));
        assertTrue(rule(policy, "u@dest.example", "phishing").markSubject());
        assertFalse(rule(policy, "u@dest.example", "disposable").markSubject());
        assertTrue(rule(policy, "u@dest.example", "disposable", "phishing").markSubject());
        assertTrue(rule(policy, "u@dest.example", "phishing", "disposable").markSubject());
        assertFalse(rule(policy, "u@dest.example", "tracking").markSubject());
    }

    @Test
    void whatPassesTellsWhichListingItWas() {
        Policy policy = with("subjectPrefix", "");
        PolicyResult passed = rule(policy, "u@dest.example", "tracking");
        assertEquals(Action.PASS, passed.action());
        assertEquals("tracking", passed.decisiveListing().orElseThrow().category());
        assertEquals(List.of(), passed.findings());
        assertEquals("listed at link", passed.reason());
    }

    @Test
    void recipientsOfOneDomainMayHaveRulesThatDiffer() {
        Policy policy = with("recipients", Map.of(MailboxPattern.of("boss@dest.example"), OverridesFor.shadow(true)));
        assertFalse(policy.sameRules("u@dest.example", "boss@dest.example", LocalRules.NONE));
        assertTrue(policy.sameRules("u@dest.example", "v@dest.example", LocalRules.NONE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "@", "u@", "@dest.example", "*.dest.example", "..dest.example", "a b@dest.example", "."})
    void anythingElseIsNoPattern(String text) {
        assertThrows(IllegalArgumentException.class, () -> MailboxPattern.of(text));
    }

    @Test
    void aReplyTextIsOneLineThatFits() {
        assertEquals(
                "See x?T, phishing", ReplyText.of("See x?{token}, {category}").filled("T", "phishing"));
        assertEquals("none", ReplyText.of("{category}").filled("T", ""));
        assertEquals("?", ReplyText.of("{category}").filled("T", "\u53d1"));
        assertEquals(
                ReplyText.MAX_BYTES,
                ReplyText.of("x".repeat(390) + "{category}")
                        .filled("T", "y".repeat(64))
                        .length());
        for (String wrong :
                List.of("", " x", "x ", "a\r\nb", "\u00fc", "{Token} x", "{sender}", "x".repeat(401), "a\0")) {
            assertThrows(IllegalArgumentException.class, () -> ReplyText.of(wrong));
        }
        assertEquals("x".repeat(400), ReplyText.of("x".repeat(400)).filled("T", ""));
    }

    private static Policy with(String component, Object value) {
        return new Policy(RecordCopy.with(PolicyOptions.defaults(), component, value), Map.of());
    }

    private static Action partial(Policy policy, Limit... limits) {
        return policy.rule(LookupResult.NOTHING, Set.of(limits), "u@dest.example")
                .action();
    }

    private static Action unresolved(Policy policy, String category) {
        return policy.rule(found(new Verdict.Unresolved("slow", Set.of(category))), Set.of(), "u@dest.example")
                .action();
    }

    private static PolicyResult rule(Policy policy, String recipient, String... categories) {
        List<Listing> listings = List.of(categories.length == 0 ? new String[] {"phishing"} : categories).stream()
                .map(category -> new Listing(
                        "feed",
                        category,
                        new Key(KeyKind.DOMAIN, "bad.example"),
                        Match.SUFFIX,
                        Set.of(Use.LINK),
                        Instant.EPOCH,
                        Instant.EPOCH,
                        0))
                .toList();
        return policy.rule(found(new Verdict.Listed(listings)), Set.of(), recipient);
    }

    private static LookupResult found(Verdict verdict) {
        Identifier identifier = new Identifier(KeyKind.DOMAIN, "bad.example", Place.LINK, "link");
        return new LookupResult(List.of(new Finding(0, identifier, verdict)), new Verdict.Clean(), 1, 1, 0);
    }
}
