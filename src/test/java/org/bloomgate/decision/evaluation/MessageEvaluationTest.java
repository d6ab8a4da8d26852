package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.RecordCopy;
import org.bloomgate.content.mime.FailingReader;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.OverridesFor;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.policy.ReplyText;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.Exceptions;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.api.SmallLayer;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// One message before the evaluator, stage by stage.
class MessageEvaluationTest {
    private static final PolicyOptions SHIPPED = PolicyOptions.defaults();
    private static final String CLEAN =
            "From: A <a@sender.example>\r\nSubject: Hello\r\n\r\nsee https://good.example/\r\n";
    private static final String LISTED = "From: A <a@sender.example>\r\n\r\nsee https://www.evil.example/login\r\n";
    private static final String SENDER = "s@from.example";
    private static final String BOB = "bob@rcpt.example";
    private static final String EVE = "eve@rcpt.example";
    private static final String EXEMPT = "postmaster@rcpt.example";

    private final ListedHosts hosts = new ListedHosts()
            .lists("evil.example")
            .listsNetworks("203.0.113.0/24")
            .inForce();
    private final EvaluationRig rig = new EvaluationRig(hosts);

    @AfterEach
    void everyHearingIsOver() {
        assertEquals(0, rig.open);
    }

    private static ConnectingClient listedClient() {
        return EvaluationRig.client("203.0.113.9");
    }

    private static PolicyOptions with(String key, Object value) {
        return RecordCopy.with(SHIPPED, key, value);
    }

    private static List<String> told(List<ScanResult.Identified> identified) {
        return identified.stream()
                .map(one ->
                        one.where() + " " + one.value() + " " + one.verdict().label())
                .toList();
    }

    @Test
    void theCallerIsAskedByAddressAndByName() {
        try (MessageEvaluation evaluation =
                rig.evaluator(SHIPPED).open(rig.lease(), EvaluationRig.client("203.0.113.9", "mail.evil.example"))) {
            assertEquals(
                    List.of("client 203.0.113.9 listed", "helo mail.evil.example listed"),
                    told(evaluation.identifiedInCaller().get()));
            assertEquals(
                    Verdict.Kind.LISTED, evaluation.lookupResult().verdict().kind());
        }
    }

    @Test
    void eachStageIsAskedAboutWhatCameWithIt() {
        try (MessageEvaluation evaluation =
                        rig.evaluator(SHIPPED).open(rig.lease(), EvaluationRig.client("198.51.100.7", "h.example"));
                MessageEvaluation alone =
                        rig.hear(rig.evaluator(SHIPPED), ConnectingClient.UNKNOWN, "x@evil.example", CLEAN)) {
            assertEquals(
                    List.of("client 198.51.100.7 clean", "helo h.example clean"),
                    told(evaluation.identifiedInCaller().get()));
            int ofCaller = evaluation.lookupResult().keys();
            evaluation.mailFrom("x@evil.example");
            assertEquals(
                    List.of("envelope x@evil.example listed"),
                    told(evaluation.identifiedInSender().get()));
            int ofSender = evaluation.lookupResult().keys() - ofCaller;
            EvaluationRig.read(evaluation, "Subject: hello\r\n\r\nhttps://good.example/\r\n");
            assertEquals(
                    List.of("text https://good.example/ clean"),
                    told(evaluation.identifiedInMessage().get()));
            assertEquals(1, evaluation.lookupResult().findings().size());
            assertEquals(List.of("envelope x@evil.example listed"), told(identifiedInSender("x@evil.example")));
            assertTrue(alone.lookupResult().keys() > ofSender && ofSender > 0);
        }
    }

    private List<ScanResult.Identified> identifiedInSender(String sender) {
        try (MessageEvaluation evaluation = rig.evaluator(SHIPPED).open(rig.lease(), ConnectingClient.UNKNOWN)) {
            evaluation.mailFrom(sender);
            return evaluation.identifiedInSender().get();
        }
    }

    @Test
    void theNullReversePathSaysNothing() {
        assertEquals(List.of(), identifiedInSender(""));
    }

    @Test
    void ofNeighboursAndUsersOfTheSiteNoListSaysAnything() throws IOException {
        hosts.operatorListsNetwork("10.0.0.0/8").onlyLocal();
        for (ConnectingClient own : List.of(
                EvaluationRig.client("10.0.0.9", "mx.corp.example"),
                new ConnectingClient(
                        EvaluationRig.client("203.0.113.9").address(),
                        "",
                        "mx.corp.example",
                        true,
                        ResultsSource.STRANGER))) {
            try (MessageEvaluation evaluation = rig.hear(rig.evaluator(SHIPPED), own, SENDER, CLEAN, BOB)) {
                assertEquals(
                        Action.PASS,
                        evaluation.decide(InputStream::nullInputStream).action());
                assertEquals(
                        Verdict.Kind.CLEAN, evaluation.lookupResult().verdict().kind());
            }
        }
    }

    @Test
    void theNameOfAStrangerIsRuledOnByItself() {
        MessageEvaluator evaluator = rig.evaluator(SHIPPED);
        MessageDecision ours =
                rig.rule(evaluator, EvaluationRig.client("198.51.100.7", "mx.corp.example"), SENDER, CLEAN, BOB);
        assertEquals(Action.TAG, ours.action());
        assertEquals("HELO with our own name", ours.reason());
        MessageDecision none = rig.rule(evaluator, EvaluationRig.client("198.51.100.7", "!"), SENDER, CLEAN, BOB);
        assertEquals("HELO with no name", none.reason());
        MessageEvaluator refusing = rig.evaluator(with("helo", new PolicyOptions.Helo(Action.REJECT, Action.TAG)));
        try (MessageEvaluation evaluation =
                refusing.open(rig.lease(), EvaluationRig.client("198.51.100.7", "mx.corp.example"))) {
            evaluation.mailFrom(SENDER);
            assertEquals(Action.REJECT, evaluation.refusal(BOB).orElseThrow().enforced());
            assertEquals(Optional.empty(), evaluation.refusal(EXEMPT));
        }
    }

    @Test
    void atRcptOnlyARefusalForGoodIsSpoken() {
        MessageEvaluator shadowing = rig.evaluator(
                with("recipients", Map.of(MailboxPattern.of("quiet.example"), OverridesFor.shadow(true))));
        try (MessageEvaluation evaluation = shadowing.open(rig.lease(), listedClient())) {
            evaluation.mailFrom(SENDER);
            MessageDecision refusal = evaluation.refusal(BOB).orElseThrow();
            assertEquals(Action.REJECT, refusal.enforced());
            assertEquals("listed at client", refusal.reason());
            assertEquals("nets", refusal.feed());
            assertEquals(Optional.empty(), evaluation.refusal(EXEMPT));
            assertEquals(Optional.empty(), evaluation.refusal("u@quiet.example"));
        }
        try (MessageEvaluation milder = rig.evaluator(with("listed", Map.of(Place.CLIENT, Action.QUARANTINE)))
                .open(rig.lease(), listedClient())) {
            milder.mailFrom(SENDER);
            assertEquals(Optional.empty(), milder.refusal(BOB));
        }
    }

    @Test
    void whoIsRefusedAtRcptIsToldOfTheMessageAllTheSame() {
        try (MessageEvaluation evaluation = rig.evaluator(SHIPPED).open(rig.lease(), listedClient())) {
            evaluation.mailFrom(SENDER);
            MessageDecision atRcpt = evaluation.refusal(BOB).orElseThrow();
            EvaluationRig.read(evaluation, LISTED);
            MessageDecision refused = evaluation.refused(atRcpt);
            assertEquals(Action.REJECT, refused.enforced());
            assertEquals(atRcpt.reason(), refused.reason());
            assertEquals(2, refused.lookupResult().findings().size());
        }
    }

    private static ListingException exception(Key key, Entry.Scope scope) {
        return Exceptions.of(key, Match.SUFFIX, scope);
    }

    private static ListingException unauthenticated(Key key, Entry.Scope scope) {
        return Exceptions.of(key, Match.SUFFIX, scope, false);
    }

    private static Key network() {
        return AddressBlock.parse("203.0.113.0/24").key();
    }

    @Test
    void anExceptionForMailOfOneSenderCoversItsListedClient() {
        Entry.Scope partner =
                new Entry.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("partner.example"));
        rig.rules = Optional.of(new LocalRules(List.of(), List.of(exception(network(), partner)), 7));
        int ofCaller;
        int keys;
        try (MessageEvaluation excepted = rig.evaluator(SHIPPED).open(rig.lease(), listedClient())) {
            ofCaller = excepted.lookupResult().keys();
            assertEquals(Verdict.Kind.LISTED, excepted.lookupResult().verdict().kind());
            excepted.mailFrom("x@partner.example");
            assertEquals(Verdict.Kind.CLEAN, excepted.lookupResult().verdict().kind());
            assertEquals(Optional.empty(), excepted.refusal(BOB));
            assertEquals(
                    List.of("envelope x@partner.example clean"),
                    told(excepted.identifiedInSender().get()));
            keys = excepted.lookupResult().keys();
        }
        try (MessageEvaluation stranger = rig.evaluator(SHIPPED).open(rig.lease(), listedClient())) {
            stranger.mailFrom("x@stranger.example");
            assertTrue(stranger.refusal(BOB).isPresent());
        }
        rig.rules = Optional.empty();
        try (MessageEvaluation unasked = rig.evaluator(SHIPPED).open(rig.lease(), listedClient())) {
            assertEquals(ofCaller, unasked.lookupResult().keys());
            unasked.mailFrom("x@partner.example");
            assertEquals(unasked.lookupResult().keys(), keys, "the client's keys count once");
        }
    }

    @Test
    void withoutASnapshotAnExceptionForTheSenderMakesNothingClean() throws IOException {
        Entry.Scope partner =
                new Entry.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("partner.example"));
        ListedHosts local =
                new ListedHosts().operatorListsNetwork("203.0.113.0/24").onlyLocal();
        EvaluationRig bare = new EvaluationRig(local);
        bare.rules = Optional.of(new LocalRules(
                List.copyOf(local.lease().local().listings()), List.of(unauthenticated(network(), partner)), 7));
        try (MessageEvaluation evaluation =
                bare.hear(bare.evaluator(SHIPPED), listedClient(), "x@partner.example", CLEAN, BOB)) {
            assertEquals(
                    Verdict.Kind.UNRESOLVED, evaluation.lookupResult().verdict().kind());
            assertEquals(
                    "no snapshot",
                    evaluation.decide(InputStream::nullInputStream).reason());
        }
    }

    @Test
    void anExceptionIsMetOnceForRecipientsOfEqualRules() {
        Entry.Scope rcpt = new Entry.Scope(Optional.empty(), Optional.empty(), Optional.of("rcpt.example"));
        rig.rules = Optional.of(new LocalRules(
                List.of(), List.of(exception(new Key(KeyKind.DOMAIN, "evil.example"), rcpt)), 7));
        MessageDecision decision = rig.rule(rig.evaluator(SHIPPED), ConnectingClient.UNKNOWN, SENDER, LISTED, BOB, EVE);
        assertEquals(Action.PASS, decision.action());
        assertEquals(1, rig.met.size());
        MessageDecision clean = rig.rule(rig.evaluator(SHIPPED), ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB);
        assertEquals(Action.PASS, clean.action());
        assertEquals(1, rig.met.size());
    }

    @Test
    void aLinkWithAnUnknownTargetIsRuledOnWhereThePolicySaysSo() {
        String shortened = "From: a@sender.example\r\n\r\nsee https://bit.ly/3abcdef\r\n";
        MessageEvaluator tagging = rig.evaluator(with("listed", Map.of(Place.UNKNOWN_TARGET, Action.TAG)));
        MessageDecision decision = rig.rule(tagging, ConnectingClient.UNKNOWN, SENDER, shortened, BOB);
        assertEquals(Action.TAG, decision.action());
        assertEquals("a link with an unknown target", decision.reason());
        assertEquals(
                Action.PASS,
                rig.rule(tagging, ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB).action());
        assertEquals(
                Action.PASS,
                rig.rule(rig.evaluator(SHIPPED), ConnectingClient.UNKNOWN, SENDER, shortened, BOB)
                        .action());
    }

    @Test
    void recipientsWithDifferentActions_areSettledEachByItsOwn() {
        MessageEvaluator evaluator = rig.evaluator(SHIPPED);
        String[] all = {BOB, EVE, EXEMPT};
        MessageDecision done = rig.rule(evaluator, ConnectingClient.UNKNOWN, SENDER, LISTED, all);
        assertEquals(Action.QUARANTINE, done.enforced());
        assertEquals(new RecipientSplit.Apart(List.of(2), List.of(0, 1), true), done.split());
    }

    @Test
    void whatIsDeliveredToSomeIsTaggedOnlyWhereARuleTagsIt() {
        MessageEvaluator evaluator =
                rig.evaluator(with("recipients", Map.of(MailboxPattern.of(EVE), OverridesFor.everyPlace(Action.PASS))));
        MessageDecision done = rig.rule(evaluator, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB, EVE);
        assertEquals(new RecipientSplit.Apart(List.of(1), List.of(0), false), done.split());
    }

    @Test
    void whenTheNewestSnapshotIsTooOldNothingUnlistedPasses() {
        MessageEvaluator evaluator = rig.evaluator(SHIPPED);
        rig.now = ListedHosts.CREATED.plus(EvaluationRig.MAX_AGE);
        assertEquals(
                Action.PASS,
                rig.rule(evaluator, ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB)
                        .action());
        rig.now = rig.now.plusSeconds(1);
        MessageDecision late = rig.rule(evaluator, ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB);
        assertEquals(Action.TAG, late.action());
        assertEquals("newest snapshot too old", late.reason());
        assertEquals(
                Action.REJECT,
                rig.rule(evaluator, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB)
                        .action());
    }

    @Test
    void mailPassedByAnOldSnapshotIsNotKnownToBeClean() {
        MessageEvaluator evaluator = rig.evaluator(with("onNoSnapshot", Action.PASS));
        rig.rule(evaluator, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB, EXEMPT);
        rig.now = ListedHosts.CREATED.plus(EvaluationRig.MAX_AGE).plus(Duration.ofMinutes(1));
        rig.rule(evaluator, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB, EXEMPT);
        MessageDecision passed = rig.rule(evaluator, ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB, EXEMPT);
        assertEquals(Action.PASS, passed.action());
    }

    @Test
    void inShadowTheRulingIsSaidAndNothingDone() {
        MessageDecision decision =
                rig.rule(rig.evaluator(with("shadow", true)), ConnectingClient.UNKNOWN, SENDER, LISTED, BOB);
        assertEquals(Action.REJECT, decision.action());
        assertEquals(Action.PASS, decision.enforced());
    }

    @Test
    void theMessageIsCalledByItsOwnFields() {
        try (MessageEvaluation evaluation = rig.hear(
                rig.evaluator(SHIPPED), listedClient(), SENDER, "Message-ID: <1@x.example>\r\n" + CLEAN, BOB)) {
            assertEquals("A <a@sender.example>", evaluation.from());
            assertEquals("Hello", evaluation.subject());
            assertEquals("<1@x.example>", evaluation.heading().messageId());
            assertEquals(listedClient(), evaluation.caller());
            assertEquals("20260102T030405Z", evaluation.generations());
            assertEquals(Optional.empty(), evaluation.fault());
            assertEquals(Set.of(), evaluation.limits());
        }
    }

    @Test
    void whatIsThrownWhileTheMailIsReadIsALimitAndTold() throws IOException {
        MessageReader failing = FailingReader.once(new IllegalStateException("secret"));
        try (MessageEvaluation evaluation = rig.hear(
                rig.evaluator(SHIPPED, failing),
                ConnectingClient.UNKNOWN,
                SENDER,
                CLEAN + "word ".repeat(60_000),
                BOB)) {
            MessageDecision decision = evaluation.decide(InputStream::nullInputStream);
            assertEquals(Set.of(Limit.FAULT), decision.limits());
            assertEquals(Action.TAG, decision.action());
            assertEquals("not fully inspected: fault", decision.reason());
            assertTrue(evaluation.fault().orElseThrow().startsWith("java.lang.IllegalStateException at "));
            assertFalse(evaluation.fault().orElseThrow().contains("secret"));
        }
    }

    @Test
    void aRefusedClientIsToldTokenAndCategory() throws IOException {
        try (MessageEvaluation evaluation = rig.hear(
                rig.evaluator(with("replyText", ReplyText.of("Refused ({category}), see {token}"))),
                ConnectingClient.UNKNOWN,
                SENDER,
                LISTED,
                BOB)) {
            assertEquals(
                    "Refused (phishing), see 0A1B",
                    evaluation.refusalText("0A1B", evaluation.decide(InputStream::nullInputStream)));
        }
    }

    @Test
    void aSubjectIsMarkedWhereACategorySpeaksThatMayRefuse() throws IOException {
        ListedHosts both = new ListedHosts()
                .lists("evil.example")
                .lists("casino.example", "games", "gambling", Match.SUFFIX)
                .inForce();
        EvaluationRig tagging = new EvaluationRig(both);
        PolicyOptions marked = RecordCopy.with(with("listed", Map.of(Place.TEXT, Action.TAG)), "subjectPrefix", "***");
        MessageEvaluator evaluator = tagging.evaluator(marked);
        try (MessageEvaluation evil = tagging.hear(evaluator, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB);
                MessageEvaluation games = tagging.hear(
                        evaluator, ConnectingClient.UNKNOWN, SENDER, CLEAN.replace("good", "casino"), BOB)) {
            assertEquals("***", evil.subjectPrefix(evil.decide(InputStream::nullInputStream)));
            MessageDecision decision = games.decide(InputStream::nullInputStream);
            assertEquals(Action.TAG, decision.action());
            assertEquals("", games.subjectPrefix(decision));
        }
    }

    @Test
    void withoutASnapshotNobodyIsNamed() throws IOException {
        EvaluationRig bare = new EvaluationRig(SmallLayer.none());
        try (MessageEvaluation evaluation =
                bare.hear(bare.evaluator(SHIPPED), ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB)) {
            assertEquals("", evaluation.generations());
            assertEquals(
                    "no snapshot",
                    evaluation.decide(InputStream::nullInputStream).reason());
            assertEquals(
                    Verdict.Kind.UNRESOLVED,
                    evaluation.decide(InputStream::nullInputStream).verdict());
        }
    }

    @Test
    void whenItIsOverNothingIsJudgedAndWhatWasFoundStays() throws IOException {
        MessageEvaluation over = rig.hear(rig.evaluator(SHIPPED), listedClient(), SENDER, LISTED, BOB);
        over.close();
        List<Executable> queried = List.of(
                () -> over.mailFrom(SENDER),
                () -> over.rcptTo(EVE),
                () -> EvaluationRig.read(over, CLEAN),
                over::lookUp,
                () -> over.decide(InputStream::nullInputStream),
                over::identifiedInCaller,
                over::identifiedInSender,
                over::identifiedInMessage);
        queried.forEach(one -> assertThrows(IllegalStateException.class, one));
        assertEquals(2, over.lookupResult().findings().size());
        assertEquals("A <a@sender.example>", over.from());
    }
}
