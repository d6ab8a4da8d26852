package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
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
import org.bloomgate.decision.policy.Action;
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.OverridesFor;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.policy.ReplyText;
import org.bloomgate.lookup.lookup.ListingException;
import org.bloomgate.lookup.lookup.LocalRules;
import org.bloomgate.lookup.lookup.Verdict;
import org.bloomgate.server.api.SmallLayer;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// One mail before the judge, stage by stage.
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
    private final EvaluationRig court = new EvaluationRig(hosts);

    @AfterEach
    void everyHearingIsOver() {
        assertEquals(0, court.open);
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
        try (MessageEvaluation hearing =
                court.judge(SHIPPED).open(court.lease(), EvaluationRig.client("203.0.113.9", "mail.evil.example"))) {
            assertEquals(
                    List.of("client 203.0.113.9 listed", "helo mail.evil.example listed"),
                    told(hearing.identifiedInCaller()));
            assertEquals(Verdict.Word.LISTED, hearing.judgement().verdict().word());
        }
    }

    @Test
    void eachStageIsAskedAboutWhatCameWithIt() {
        try (MessageEvaluation hearing = court.judge(SHIPPED).open(court.lease(), EvaluationRig.client("198.51.100.7", "h.example"));
                MessageEvaluation alone = court.hear(court.judge(SHIPPED), ConnectingClient.UNKNOWN, "x@evil.example", CLEAN)) {
            assertEquals(
                    List.of("client 198.51.100.7 clean", "helo h.example clean"), told(hearing.identifiedInCaller()));
            int ofCaller = hearing.judgement().keys();
            hearing.sender("x@evil.example");
            assertEquals(List.of("envelope x@evil.example listed"), told(hearing.identifiedInSender()));
            int ofSender = hearing.judgement().keys() - ofCaller;
            EvaluationRig.read(hearing, "Subject: hello\r\n\r\nhttps://good.example/\r\n");
            assertEquals(List.of("text https://good.example/ clean"), told(hearing.identifiedInMessage()));
            assertEquals(1, hearing.judgement().findings().size());
            assertEquals(List.of("envelope x@evil.example listed"), told(identifiedInSender("x@evil.example")));
            assertTrue(alone.judgement().keys() > ofSender && ofSender > 0);
        }
    }

    private List<ScanResult.Identified> identifiedInSender(String sender) {
        try (MessageEvaluation hearing = court.judge(SHIPPED).open(court.lease(), ConnectingClient.UNKNOWN)) {
            hearing.sender(sender);
            return hearing.identifiedInSender();
        }
    }

    @Test
    void theNullReversePathSaysNothing() {
        assertEquals(List.of(), identifiedInSender(""));
    }

    @Test
    void ofNeighboursAndUsersOfTheSiteNoListSaysAnything() {
        hosts.operatorListsNetwork("10.0.0.0/8").onlyLocal();
        for (ConnectingClient own : List.of(
                EvaluationRig.client("10.0.0.9", "mx.corp.example"),
                new ConnectingClient(EvaluationRig.client("203.0.113.9").address(), "", "mx.corp.example", true))) {
            try (MessageEvaluation hearing = court.hear(court.judge(SHIPPED), own, SENDER, CLEAN, BOB)) {
                assertEquals(Action.PASS, hearing.rule().action());
                assertEquals(Verdict.Word.CLEAN, hearing.judgement().verdict().word());
            }
        }
    }

    @Test
    void theNameOfAStrangerIsRuledOnByItself() {
        MessageEvaluator judge = court.judge(SHIPPED);
        MessageDecision ours = court.rule(judge, EvaluationRig.client("198.51.100.7", "mx.corp.example"), SENDER, CLEAN, BOB);
        assertEquals(Action.TAG, ours.action());
        assertEquals("HELO with our own name", ours.reason());
        MessageDecision none = court.rule(judge, EvaluationRig.client("198.51.100.7", "!"), SENDER, CLEAN, BOB);
        assertEquals("HELO with no name", none.reason());
        MessageEvaluator refusing = court.judge(with("helo", new PolicyOptions.Helo(Action.REJECT, Action.TAG)));
        try (MessageEvaluation hearing = refusing.open(court.lease(), EvaluationRig.client("198.51.100.7", "mx.corp.example"))) {
            hearing.sender(SENDER);
            assertEquals(Action.REJECT, hearing.refusal(BOB).orElseThrow().enforced());
            assertEquals(Optional.empty(), hearing.refusal(EXEMPT));
        }
    }

    @Test
    void atRcptOnlyARefusalForGoodIsSpoken() {
        MessageEvaluator shadowing =
                court.judge(with("recipients", Map.of(MailboxPattern.of("quiet.example"), OverridesFor.shadow(true))));
        try (MessageEvaluation hearing = shadowing.open(court.lease(), listedClient())) {
            hearing.sender(SENDER);
            MessageDecision refusal = hearing.refusal(BOB).orElseThrow();
            assertEquals(Action.REJECT, refusal.enforced());
            assertEquals("listed at client", refusal.reason());
            assertEquals("nets", refusal.feed());
            assertEquals(Optional.empty(), hearing.refusal(EXEMPT));
            assertEquals(Optional.empty(), hearing.refusal("u@quiet.example"));
        }
        try (MessageEvaluation milder = court.judge(with("listed", Map.of(Place.CLIENT, Action.QUARANTINE)))
                .open(court.lease(), listedClient())) {
            milder.sender(SENDER);
            assertEquals(Optional.empty(), milder.refusal(BOB));
        }
    }

    @Test
    void whoIsRefusedAtRcptIsToldOfTheMessageAllTheSame() {
        try (MessageEvaluation hearing = court.judge(SHIPPED).open(court.lease(), listedClient())) {
            hearing.sender(SENDER);
            MessageDecision atRcpt = hearing.refusal(BOB).orElseThrow();
            EvaluationRig.read(hearing, LISTED);
            MessageDecision refused = hearing.refused(atRcpt);
            assertEquals(Action.REJECT, refused.enforced());
            assertEquals(atRcpt.reason(), refused.reason());
            assertEquals(2, refused.judgement().findings().size());
        }
    }

    private static ListingException exemption(Key key, ListingException.Scope scope) {
        return new ListingException(key, Match.SUFFIX, scope, "", "jane", Instant.EPOCH, Optional.empty());
    }

    private static Key network() {
        return AddressBlock.parse("203.0.113.0/24").key();
    }

    @Test
    void anExceptionForMailOfOneSenderCoversItsListedClient() {
        ListingException.Scope partner = new ListingException.Scope(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("partner.example"));
        court.rules = Optional.of(new LocalRules(List.of(), List.of(exemption(network(), partner)), 7));
        int ofCaller;
        int keys;
        try (MessageEvaluation excepted = court.judge(SHIPPED).open(court.lease(), listedClient())) {
            ofCaller = excepted.judgement().keys();
            assertEquals(Verdict.Word.LISTED, excepted.judgement().verdict().word());
            excepted.sender("x@partner.example");
            assertEquals(Verdict.Word.CLEAN, excepted.judgement().verdict().word());
            assertEquals(Optional.empty(), excepted.refusal(BOB));
            assertEquals(List.of("envelope x@partner.example clean"), told(excepted.identifiedInSender()));
            keys = excepted.judgement().keys();
        }
        try (MessageEvaluation stranger = court.judge(SHIPPED).open(court.lease(), listedClient())) {
            stranger.sender("x@stranger.example");
            assertTrue(stranger.refusal(BOB).isPresent());
        }
        court.rules = Optional.empty();
        try (MessageEvaluation unasked = court.judge(SHIPPED).open(court.lease(), listedClient())) {
            assertEquals(ofCaller, unasked.judgement().keys());
            unasked.sender("x@partner.example");
            assertEquals(unasked.judgement().keys(), keys, "the client's keys count once");
        }
    }

    @Test
    void withoutASnapshotAnExceptionForTheSenderMakesNothingClean() {
        ListingException.Scope partner = new ListingException.Scope(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("partner.example"));
        ListedHosts local =
                new ListedHosts().operatorListsNetwork("203.0.113.0/24").onlyLocal();
        EvaluationRig bare = new EvaluationRig(local);
        bare.rules = Optional.of(new LocalRules(
                List.copyOf(local.lease().local().listings()), List.of(exemption(network(), partner)), 7));
        try (MessageEvaluation hearing = bare.hear(bare.judge(SHIPPED), listedClient(), "x@partner.example", CLEAN, BOB)) {
            assertEquals(Verdict.Word.UNRESOLVED, hearing.judgement().verdict().word());
            assertEquals("no snapshot", hearing.rule().reason());
        }
    }

    @Test
    void anExceptionIsMetOnceForRecipientsOfEqualRules() {
        ListingException.Scope rcpt = new ListingException.Scope(Optional.empty(), Optional.empty(), Optional.of("rcpt.example"));
        court.rules = Optional.of(new LocalRules(
                List.of(), List.of(exemption(new Key(KeyKind.DOMAIN, "evil.example"), rcpt)), 7));
        MessageDecision ruled = court.rule(court.judge(SHIPPED), ConnectingClient.UNKNOWN, SENDER, LISTED, BOB, EVE);
        assertEquals(Action.PASS, ruled.action());
        assertEquals(1, court.met.size());
        MessageDecision clean = court.rule(court.judge(SHIPPED), ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB);
        assertEquals(Action.PASS, clean.action());
        assertEquals(1, court.met.size());
    }

    @Test
    void aLinkWithAnUnknownTargetIsRuledOnWhereThePolicySaysSo() {
        String shortened = "From: a@sender.example\r\n\r\nsee https://bit.ly/3abcdef\r\n";
        MessageEvaluator tagging = court.judge(with("listed", Map.of(Place.UNKNOWN_TARGET, Action.TAG)));
        MessageDecision ruled = court.rule(tagging, ConnectingClient.UNKNOWN, SENDER, shortened, BOB);
        assertEquals(Action.TAG, ruled.action());
        assertEquals("a link with an unknown target", ruled.reason());
        assertEquals(
                Action.PASS,
                court.rule(tagging, ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB).action());
        assertEquals(
                Action.PASS,
                court.rule(court.judge(SHIPPED), ConnectingClient.UNKNOWN, SENDER, shortened, BOB)
                        .action());
    }

    private MessageEvaluation from(MessageEvaluator judge, String sender) {
        MessageEvaluation hearing = judge.open(court.lease(), ConnectingClient.UNKNOWN);
        hearing.sender(sender);
        return hearing;
    }

    @Test
    void recipientsWithDifferentActions_areSettledEachByItsOwn() {
        MessageEvaluator judge = court.judge(SHIPPED);
        String[] all = {BOB, EVE, EXEMPT};
        MessageDecision done = court.rule(judge, ConnectingClient.UNKNOWN, SENDER, LISTED, all);
        assertEquals(Action.QUARANTINE, done.enforced());
        assertEquals(new RecipientSplit.Apart(List.of(2), List.of(0, 1), true), done.parting());
    }

    @Test
    void whatIsDeliveredToSomeIsTaggedOnlyWhereARuleTagsIt() {
        MessageEvaluator judge =
                court.judge(with("recipients", Map.of(MailboxPattern.of(EVE), OverridesFor.everyPlace(Action.PASS))));
        MessageDecision done = court.rule(judge, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB, EVE);
        assertEquals(new RecipientSplit.Apart(List.of(1), List.of(0), false), done.parting());
    }

    @Test
    void whenTheNewestSnapshotIsTooOldNothingUnlistedPasses() {
        MessageEvaluator judge = court.judge(SHIPPED);
        court.now = ListedHosts.CREATED.plus(EvaluationRig.MAX_AGE);
        assertEquals(
                Action.PASS,
                court.rule(judge, ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB).action());
        court.now = court.now.plusSeconds(1);
        MessageDecision late = court.rule(judge, ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB);
        assertEquals(Action.TAG, late.action());
        assertEquals("newest snapshot too old", late.reason());
        assertEquals(
                Action.REJECT,
                court.rule(judge, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB).action());
    }

    @Test
    void mailPassedByAnOldSnapshotIsNotKnownToBeClean() {
        MessageEvaluator judge = court.judge(with("onNoSnapshot", Action.PASS));
        court.rule(judge, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB, EXEMPT);
        court.now = ListedHosts.CREATED.plus(EvaluationRig.MAX_AGE).plus(Duration.ofMinutes(1));
        court.rule(judge, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB, EXEMPT);
        MessageDecision passed = court.rule(judge, ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB, EXEMPT);
        assertEquals(Action.PASS, passed.action());
    }

    @Test
    void inShadowTheRulingIsSaidAndNothingDone() {
        MessageDecision ruled = court.rule(court.judge(with("shadow", true)), ConnectingClient.UNKNOWN, SENDER, LISTED, BOB);
        assertEquals(Action.REJECT, ruled.action());
        assertEquals(Action.PASS, ruled.enforced());
    }

    @Test
    void theMessageIsCalledByItsOwnFields() {
        try (MessageEvaluation hearing = court.hear(
                court.judge(SHIPPED), listedClient(), SENDER, "Message-ID: <1@x.example>\r\n" + CLEAN, BOB)) {
            assertEquals("A <a@sender.example>", hearing.from());
            assertEquals("Hello", hearing.subject());
            assertEquals("<1@x.example>", hearing.heading().messageId());
            assertEquals(listedClient(), hearing.caller());
            assertEquals("20260102T030405Z", hearing.generations());
            assertEquals(Optional.empty(), hearing.fault());
            assertEquals(Set.of(), hearing.limits());
        }
    }

    @Test
    void whatIsThrownWhileTheMailIsReadIsALimitAndTold() {
        MessageReader failing = FailingReader.once(new IllegalStateException("secret"));
        try (MessageEvaluation hearing = court.hear(
                court.judge(SHIPPED, failing), ConnectingClient.UNKNOWN, SENDER, CLEAN + "word ".repeat(60_000), BOB)) {
            MessageDecision ruled = hearing.rule();
            assertEquals(Set.of("fault"), ruled.limits());
            assertEquals(Action.TAG, ruled.action());
            assertEquals("not fully inspected: fault", ruled.reason());
            assertTrue(hearing.fault().orElseThrow().startsWith("java.lang.IllegalStateException at "));
            assertFalse(hearing.fault().orElseThrow().contains("secret"));
        }
    }

    @Test
    void aRefusedClientIsToldTokenAndCategory() {
        try (MessageEvaluation hearing = court.hear(
                court.judge(with("replyText", ReplyText.of("Refused ({category}), see {token}"))),
                ConnectingClient.UNKNOWN,
                SENDER,
                LISTED,
                BOB)) {
            assertEquals("Refused (phishing), see 0A1B", hearing.refusalText("0A1B", hearing.rule()));
        }
    }

    @Test
    void aSubjectIsMarkedWhereACategorySpeaksThatMayRefuse() {
        ListedHosts both = new ListedHosts()
                .lists("evil.example")
                .lists("casino.example", "games", "gambling", Match.SUFFIX)
                .inForce();
        EvaluationRig tagging = new EvaluationRig(both);
        PolicyOptions marked = RecordCopy.with(with("listed", Map.of(Place.TEXT, Action.TAG)), "subjectPrefix", "***");
        MessageEvaluator judge = tagging.judge(marked);
        try (MessageEvaluation evil = tagging.hear(judge, ConnectingClient.UNKNOWN, SENDER, LISTED, BOB);
                MessageEvaluation games = tagging.hear(judge, ConnectingClient.UNKNOWN, SENDER, CLEAN.replace("good", "casino"), BOB)) {
            assertEquals("***", evil.subjectPrefix(evil.rule()));
            MessageDecision ruled = games.rule();
            assertEquals(Action.TAG, ruled.action());
            assertEquals("", games.subjectPrefix(ruled));
        }
    }

    @Test
    void withoutASnapshotNobodyIsNamed() {
        EvaluationRig bare = new EvaluationRig(SmallLayer.none());
        try (MessageEvaluation hearing = bare.hear(bare.judge(SHIPPED), ConnectingClient.UNKNOWN, SENDER, CLEAN, BOB)) {
            assertEquals("", hearing.generations());
            assertEquals("no snapshot", hearing.rule().reason());
            assertEquals(Verdict.Word.UNRESOLVED, hearing.rule().verdict());
        }
    }

    @Test
    void whenItIsOverNothingIsJudgedAndWhatWasFoundStays() {
        MessageEvaluation over = court.hear(court.judge(SHIPPED), listedClient(), SENDER, LISTED, BOB);
        over.close();
        List<Executable> asked = List.of(
                () -> over.sender(SENDER),
                () -> over.recipient(EVE),
                () -> EvaluationRig.read(over, CLEAN),
                over::ask,
                over::rule,
                over::identifiedInCaller,
                over::identifiedInSender,
                over::identifiedInMessage);
        asked.forEach(one -> assertThrows(IllegalStateException.class, one));
        assertEquals(2, over.judgement().findings().size());
        assertEquals("A <a@sender.example>", over.from());
    }
}
