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
import org.bloomgate.lookup.lookup.Exemption;
import org.bloomgate.lookup.lookup.LocalRules;
import org.bloomgate.lookup.lookup.Verdict;
import org.bloomgate.server.api.SmallLayer;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// One mail before the judge, stage by stage.
class HearingTest {
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
    private final Court court = new Court(hosts);

    @AfterEach
    void everyHearingIsOver() {
        assertEquals(0, court.open);
    }

    private static Caller listedClient() {
        return Court.client("203.0.113.9");
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
        try (Hearing hearing =
                court.judge(SHIPPED).open(court.lease(), Court.client("203.0.113.9", "mail.evil.example"))) {
            assertEquals(
                    List.of("client 203.0.113.9 listed", "helo mail.evil.example listed"),
                    told(hearing.identifiedInCaller()));
            assertEquals(Verdict.Word.LISTED, hearing.judgement().verdict().word());
        }
    }

    @Test
    void eachStageIsAskedAboutWhatCameWithIt() {
        try (Hearing hearing = court.judge(SHIPPED).open(court.lease(), Court.client("198.51.100.7", "h.example"));
                Hearing alone = court.hear(court.judge(SHIPPED), Caller.UNKNOWN, "x@evil.example", CLEAN)) {
            assertEquals(
                    List.of("client 198.51.100.7 clean", "helo h.example clean"), told(hearing.identifiedInCaller()));
            int ofCaller = hearing.judgement().keys();
            hearing.sender("x@evil.example");
            assertEquals(List.of("envelope x@evil.example listed"), told(hearing.identifiedInSender()));
            int ofSender = hearing.judgement().keys() - ofCaller;
            Court.read(hearing, "Subject: hello\r\n\r\nhttps://good.example/\r\n");
            assertEquals(List.of("text https://good.example/ clean"), told(hearing.identifiedInMessage()));
            assertEquals(1, hearing.judgement().findings().size());
            assertEquals(List.of("envelope x@evil.example listed"), told(identifiedInSender("x@evil.example")));
            assertTrue(alone.judgement().keys() > ofSender && ofSender > 0);
        }
    }

    private List<ScanResult.Identified> identifiedInSender(String sender) {
        try (Hearing hearing = court.judge(SHIPPED).open(court.lease(), Caller.UNKNOWN)) {
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
        for (Caller own : List.of(
                Court.client("10.0.0.9", "mx.corp.example"),
                new Caller(Court.client("203.0.113.9").address(), "", "mx.corp.example", true))) {
            try (Hearing hearing = court.hear(court.judge(SHIPPED), own, SENDER, CLEAN, BOB)) {
                assertEquals(Action.PASS, hearing.rule().action());
                assertEquals(Verdict.Word.CLEAN, hearing.judgement().verdict().word());
            }
        }
    }

    @Test
    void theNameOfAStrangerIsRuledOnByItself() {
        MessageJudge judge = court.judge(SHIPPED);
        Ruled ours = court.rule(judge, Court.client("198.51.100.7", "mx.corp.example"), SENDER, CLEAN, BOB);
        assertEquals(Action.TAG, ours.action());
        assertEquals("HELO with our own name", ours.reason());
        Ruled none = court.rule(judge, Court.client("198.51.100.7", "!"), SENDER, CLEAN, BOB);
        assertEquals("HELO with no name", none.reason());
        MessageJudge refusing = court.judge(with("helo", new PolicyOptions.Helo(Action.REJECT, Action.TAG)));
        try (Hearing hearing = refusing.open(court.lease(), Court.client("198.51.100.7", "mx.corp.example"))) {
            hearing.sender(SENDER);
            assertEquals(Action.REJECT, hearing.refusal(BOB).orElseThrow().enforced());
            assertEquals(Optional.empty(), hearing.refusal(EXEMPT));
        }
    }

    @Test
    void atRcptOnlyARefusalForGoodIsSpoken() {
        MessageJudge shadowing =
                court.judge(with("recipients", Map.of(MailboxPattern.of("quiet.example"), OverridesFor.shadow(true))));
        try (Hearing hearing = shadowing.open(court.lease(), listedClient())) {
            hearing.sender(SENDER);
            Ruled refusal = hearing.refusal(BOB).orElseThrow();
            assertEquals(Action.REJECT, refusal.enforced());
            assertEquals("listed at client", refusal.reason());
            assertEquals("nets", refusal.feed());
            assertEquals(Optional.empty(), hearing.refusal(EXEMPT));
            assertEquals(Optional.empty(), hearing.refusal("u@quiet.example"));
        }
        try (Hearing milder = court.judge(with("listed", Map.of(Place.CLIENT, Action.QUARANTINE)))
                .open(court.lease(), listedClient())) {
            milder.sender(SENDER);
            assertEquals(Optional.empty(), milder.refusal(BOB));
        }
    }

    @Test
    void whoIsRefusedAtRcptIsToldOfTheMessageAllTheSame() {
        try (Hearing hearing = court.judge(SHIPPED).open(court.lease(), listedClient())) {
            hearing.sender(SENDER);
            Ruled atRcpt = hearing.refusal(BOB).orElseThrow();
            Court.read(hearing, LISTED);
            Ruled refused = hearing.refused(atRcpt);
            assertEquals(Action.REJECT, refused.enforced());
            assertEquals(atRcpt.reason(), refused.reason());
            assertEquals(2, refused.judgement().findings().size());
        }
    }

    private static Exemption exemption(Key key, Exemption.Scope scope) {
        return new Exemption(key, Match.SUFFIX, scope, "", "jane", Instant.EPOCH, Optional.empty());
    }

    private static Key network() {
        return AddressBlock.parse("203.0.113.0/24").key();
    }

    @Test
    void anExceptionForMailOfOneSenderCoversItsListedClient() {
        Exemption.Scope partner = new Exemption.Scope(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("partner.example"));
        court.rules = Optional.of(new LocalRules(List.of(), List.of(exemption(network(), partner)), 7));
        int ofCaller;
        int keys;
        try (Hearing excepted = court.judge(SHIPPED).open(court.lease(), listedClient())) {
            ofCaller = excepted.judgement().keys();
            assertEquals(Verdict.Word.LISTED, excepted.judgement().verdict().word());
            excepted.sender("x@partner.example");
            assertEquals(Verdict.Word.CLEAN, excepted.judgement().verdict().word());
            assertEquals(Optional.empty(), excepted.refusal(BOB));
            assertEquals(List.of("envelope x@partner.example clean"), told(excepted.identifiedInSender()));
            keys = excepted.judgement().keys();
        }
        try (Hearing stranger = court.judge(SHIPPED).open(court.lease(), listedClient())) {
            stranger.sender("x@stranger.example");
            assertTrue(stranger.refusal(BOB).isPresent());
        }
        court.rules = Optional.empty();
        try (Hearing unasked = court.judge(SHIPPED).open(court.lease(), listedClient())) {
            assertEquals(ofCaller, unasked.judgement().keys());
            unasked.sender("x@partner.example");
            assertEquals(unasked.judgement().keys(), keys, "the client's keys count once");
        }
    }

    @Test
    void withoutASnapshotAnExceptionForTheSenderMakesNothingClean() {
        Exemption.Scope partner = new Exemption.Scope(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("partner.example"));
        ListedHosts local =
                new ListedHosts().operatorListsNetwork("203.0.113.0/24").onlyLocal();
        Court bare = new Court(local);
        bare.rules = Optional.of(new LocalRules(
                List.copyOf(local.lease().local().listings()), List.of(exemption(network(), partner)), 7));
        try (Hearing hearing = bare.hear(bare.judge(SHIPPED), listedClient(), "x@partner.example", CLEAN, BOB)) {
            assertEquals(Verdict.Word.UNRESOLVED, hearing.judgement().verdict().word());
            assertEquals("no snapshot", hearing.rule().reason());
        }
    }

    @Test
    void anExceptionIsMetOnceForRecipientsOfEqualRules() {
        Exemption.Scope rcpt = new Exemption.Scope(Optional.empty(), Optional.empty(), Optional.of("rcpt.example"));
        court.rules = Optional.of(new LocalRules(
                List.of(), List.of(exemption(new Key(KeyKind.DOMAIN, "evil.example"), rcpt)), 7));
        Ruled ruled = court.rule(court.judge(SHIPPED), Caller.UNKNOWN, SENDER, LISTED, BOB, EVE);
        assertEquals(Action.PASS, ruled.action());
        assertEquals(1, court.met.size());
        Ruled clean = court.rule(court.judge(SHIPPED), Caller.UNKNOWN, SENDER, CLEAN, BOB);
        assertEquals(Action.PASS, clean.action());
        assertEquals(1, court.met.size());
    }

    @Test
    void aLinkWithAnUnknownTargetIsRuledOnWhereThePolicySaysSo() {
        String shortened = "From: a@sender.example\r\n\r\nsee https://bit.ly/3abcdef\r\n";
        MessageJudge tagging = court.judge(with("listed", Map.of(Place.UNKNOWN_TARGET, Action.TAG)));
        Ruled ruled = court.rule(tagging, Caller.UNKNOWN, SENDER, shortened, BOB);
        assertEquals(Action.TAG, ruled.action());
        assertEquals("a link with an unknown target", ruled.reason());
        assertEquals(
                Action.PASS,
                court.rule(tagging, Caller.UNKNOWN, SENDER, CLEAN, BOB).action());
        assertEquals(
                Action.PASS,
                court.rule(court.judge(SHIPPED), Caller.UNKNOWN, SENDER, shortened, BOB)
                        .action());
    }

    private Hearing from(MessageJudge judge, String sender) {
        Hearing hearing = judge.open(court.lease(), Caller.UNKNOWN);
        hearing.sender(sender);
        return hearing;
    }

    @Test
    void recipientsWithDifferentActions_areSettledEachByItsOwn() {
        MessageJudge judge = court.judge(SHIPPED);
        String[] all = {BOB, EVE, EXEMPT};
        Ruled done = court.rule(judge, Caller.UNKNOWN, SENDER, LISTED, all);
        assertEquals(Action.QUARANTINE, done.enforced());
        assertEquals(new Parting.Apart(List.of(2), List.of(0, 1), true), done.parting());
    }

    @Test
    void whatIsDeliveredToSomeIsTaggedOnlyWhereARuleTagsIt() {
        MessageJudge judge =
                court.judge(with("recipients", Map.of(MailboxPattern.of(EVE), OverridesFor.everyPlace(Action.PASS))));
        Ruled done = court.rule(judge, Caller.UNKNOWN, SENDER, LISTED, BOB, EVE);
        assertEquals(new Parting.Apart(List.of(1), List.of(0), false), done.parting());
    }

    @Test
    void whenTheNewestSnapshotIsTooOldNothingUnlistedPasses() {
        MessageJudge judge = court.judge(SHIPPED);
        court.now = ListedHosts.CREATED.plus(Court.MAX_AGE);
        assertEquals(
                Action.PASS,
                court.rule(judge, Caller.UNKNOWN, SENDER, CLEAN, BOB).action());
        court.now = court.now.plusSeconds(1);
        Ruled late = court.rule(judge, Caller.UNKNOWN, SENDER, CLEAN, BOB);
        assertEquals(Action.TAG, late.action());
        assertEquals("newest snapshot too old", late.reason());
        assertEquals(
                Action.REJECT,
                court.rule(judge, Caller.UNKNOWN, SENDER, LISTED, BOB).action());
    }

    @Test
    void mailPassedByAnOldSnapshotIsNotKnownToBeClean() {
        MessageJudge judge = court.judge(with("onNoSnapshot", Action.PASS));
        court.rule(judge, Caller.UNKNOWN, SENDER, LISTED, BOB, EXEMPT);
        court.now = ListedHosts.CREATED.plus(Court.MAX_AGE).plus(Duration.ofMinutes(1));
        court.rule(judge, Caller.UNKNOWN, SENDER, LISTED, BOB, EXEMPT);
        Ruled passed = court.rule(judge, Caller.UNKNOWN, SENDER, CLEAN, BOB, EXEMPT);
        assertEquals(Action.PASS, passed.action());
    }

    @Test
    void inShadowTheRulingIsSaidAndNothingDone() {
        Ruled ruled = court.rule(court.judge(with("shadow", true)), Caller.UNKNOWN, SENDER, LISTED, BOB);
        assertEquals(Action.REJECT, ruled.action());
        assertEquals(Action.PASS, ruled.enforced());
    }

    @Test
    void theMessageIsCalledByItsOwnFields() {
        try (Hearing hearing = court.hear(
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
        try (Hearing hearing = court.hear(
                court.judge(SHIPPED, failing), Caller.UNKNOWN, SENDER, CLEAN + "word ".repeat(60_000), BOB)) {
            Ruled ruled = hearing.rule();
            assertEquals(Set.of("fault"), ruled.limits());
            assertEquals(Action.TAG, ruled.action());
            assertEquals("not fully inspected: fault", ruled.reason());
            assertTrue(hearing.fault().orElseThrow().startsWith("java.lang.IllegalStateException at "));
            assertFalse(hearing.fault().orElseThrow().contains("secret"));
        }
    }

    @Test
    void aRefusedClientIsToldTokenAndCategory() {
        try (Hearing hearing = court.hear(
                court.judge(with("replyText", ReplyText.of("Refused ({category}), see {token}"))),
                Caller.UNKNOWN,
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
        Court tagging = new Court(both);
        PolicyOptions marked = RecordCopy.with(with("listed", Map.of(Place.TEXT, Action.TAG)), "subjectPrefix", "***");
        MessageJudge judge = tagging.judge(marked);
        try (Hearing evil = tagging.hear(judge, Caller.UNKNOWN, SENDER, LISTED, BOB);
                Hearing games = tagging.hear(judge, Caller.UNKNOWN, SENDER, CLEAN.replace("good", "casino"), BOB)) {
            assertEquals("***", evil.subjectPrefix(evil.rule()));
            Ruled ruled = games.rule();
            assertEquals(Action.TAG, ruled.action());
            assertEquals("", games.subjectPrefix(ruled));
        }
    }

    @Test
    void withoutASnapshotNobodyIsNamed() {
        Court bare = new Court(SmallLayer.none());
        try (Hearing hearing = bare.hear(bare.judge(SHIPPED), Caller.UNKNOWN, SENDER, CLEAN, BOB)) {
            assertEquals("", hearing.generations());
            assertEquals("no snapshot", hearing.rule().reason());
            assertEquals(Verdict.Word.UNRESOLVED, hearing.rule().verdict());
        }
    }

    @Test
    void whenItIsOverNothingIsJudgedAndWhatWasFoundStays() {
        Hearing over = court.hear(court.judge(SHIPPED), listedClient(), SENDER, LISTED, BOB);
        over.close();
        List<Executable> asked = List.of(
                () -> over.sender(SENDER),
                () -> over.recipient(EVE),
                () -> Court.read(over, CLEAN),
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
