package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.RecordCopy;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.Test;

/// What becomes of a message, as the journal has it.
class DecisionDraftTest {
    private static final Instant NOON = Instant.parse("2026-03-05T12:00:00Z");
    private static final String TOKEN = "0A1B2C3D4E5F";
    private static final String BOB = "bob@rcpt.example";
    private static final String EVIL = "https://www.evil.example/login";
    private static final String LISTED = "Message-ID: <1@sender.example>\r\nFrom: A <a@sender.example>\r\n"
            + "Subject: Hello\r\n\r\nsee " + EVIL + " and https://new.example/\r\n";
    private static final PolicyOptions SHIPPED = PolicyOptions.defaults();
    private static final ListingSource TRIED = new ListingSource.OfFeed(Optional.empty(), true);

    private final EvaluationRig rig = new EvaluationRig(new ListedHosts()
            .lists("evil.example")
            .lists("new.example", "spam", TRIED)
            .inForce());

    private MessageEvaluation hear(PolicyOptions options) {
        return rig.hear(rig.evaluator(options), ConnectingClient.UNKNOWN, "s@from.example", LISTED, BOB);
    }

    private static DecisionDraft draft(MessageEvaluation evaluation) {
        return new DecisionDraft(
                TOKEN,
                new Decision.Connection("203.0.113.9", "mail.example", "TLSv1.3 X"),
                "s@from.example",
                evaluation);
    }

    private static Decision of(DecisionDraft draft) {
        return draft.createDecision(NOON, Map.of("scan", 1.5));
    }

    @Test
    void aRefusedMailIsToldWithWhoWhatAndWhy() throws IOException {
        MessageEvaluation evaluation = hear(SHIPPED);
        DecisionDraft draft = draft(evaluation);
        draft.addRecipient(BOB);
        draft.setSize(1_234);
        draft.recordDecision(evaluation.decide(InputStream::nullInputStream), "550 5.7.1 refused");
        Decision decision = of(draft);
        assertEquals(
                new Decision(
                        NOON,
                        TOKEN,
                        new Decision.Connection("203.0.113.9", "mail.example", "TLSv1.3 X"),
                        new Decision.Envelope("s@from.example", List.of(BOB), List.of()),
                        new Decision.Content(
                                new Decision.Heading("<1@sender.example>", "Hello", "A <a@sender.example>"),
                                1_234,
                                new Decision.Lookup(
                                        evaluation.lookupResult().keys(),
                                        2,
                                        RecordedFindings.of(evaluation.lookupResult()),
                                        List.of(),
                                        evaluation.lookupResult().filters()),
                                List.of(),
                                Optional.empty()),
                        new Decision.Outcome(
                                "listed", "reject", "reject", "sample", "phishing", EVIL, Map.of("sample", "reject")),
                        new Decision.Processing(
                                "550 5.7.1 refused",
                                "",
                                "",
                                "20260102T030405Z",
                                Map.of("scan", 1.5),
                                Optional.empty())),
                decision);
        assertEquals(2, decision.content().lookup().found().size());
        assertEquals(Verdict.Kind.LISTED, draft.verdict());
        assertEquals(Optional.of(Action.REJECT), draft.enforced());
        assertEquals(Optional.empty(), draft.findShadowAction());
        assertEquals("sample", draft.feed());
        assertEquals("phishing", draft.category());
        assertEquals(1_234, draft.sizeBytes());
        assertEquals(1, draft.recipients());
    }

    @Test
    void inShadowBothWhatIsSaidAndWhatIsDoneAreKept() throws IOException {
        MessageEvaluation evaluation = hear(RecordCopy.with(SHIPPED, "shadow", true));
        DecisionDraft draft = draft(evaluation);
        assertEquals(Optional.empty(), draft.findShadowAction());
        draft.recordDecision(evaluation.decide(InputStream::nullInputStream), "250 2.0.0 Ok");
        assertEquals(Optional.of(Action.REJECT), draft.findShadowAction());
        assertEquals(Optional.of(Action.PASS), draft.enforced());
        assertEquals("reject", of(draft).outcome().action());
        assertEquals("pass", of(draft).outcome().enforced());
    }

    @Test
    void withoutADecisionNothingWasDone() throws IOException {
        DecisionDraft draft = draft(hear(SHIPPED));
        assertEquals(Optional.empty(), draft.enforced());
        assertEquals("", draft.feed());
        assertEquals("", draft.category());
        assertEquals(Map.of(), draft.findShadowActions());
        assertEquals(0, draft.recipients());
        Decision decision = of(draft);
        assertEquals(Decision.NONE, decision.outcome().action());
        assertEquals(Decision.NONE, decision.outcome().enforced());
        assertEquals("", decision.outcome().value());
        assertEquals("", decision.processing().reply());
    }

    @Test
    void aClientLostInsideItsMessageHasNoDecisionLeft() throws IOException {
        MessageEvaluation evaluation = hear(SHIPPED);
        DecisionDraft draft = draft(evaluation);
        draft.recordDecision(evaluation.decide(InputStream::nullInputStream), "550 5.7.1 refused");
        draft.recordLoss();
        Decision decision = of(draft);
        assertEquals(Decision.LOST, decision.outcome().action());
        assertEquals(Decision.LOST, decision.outcome().enforced());
        assertEquals("", decision.processing().reply());
        assertEquals("", decision.outcome().feed());
        assertEquals(Map.of(), decision.outcome().would());
        assertEquals(Optional.empty(), draft.enforced());
    }

    @Test
    void aMessageRefusedBeforePolicyWasAskedIsToldSo() {
        DecisionDraft draft = draft(hear(SHIPPED));
        draft.recordReply(Action.DEFER, "451 4.3.0 later");
        assertEquals(Optional.of(Action.DEFER), draft.enforced());
        assertEquals(Optional.empty(), draft.findShadowAction());
        assertEquals("defer", of(draft).outcome().action());
        assertEquals("451 4.3.0 later", of(draft).processing().reply());
    }

    @Test
    void theLastRefusalIsTheReplyUntilTheMailIsDecided() {
        DecisionDraft draft = draft(hear(SHIPPED));
        draft.addRejected("eve@rcpt.example", "550 5.1.1 unknown");
        assertEquals("550 5.1.1 unknown", of(draft).processing().reply());
        draft.recordRejection("503 5.5.1 no recipients");
        assertEquals("503 5.5.1 no recipients", of(draft).processing().reply());
        draft.recordReply(Action.REJECT, "552 5.3.4 too big");
        draft.recordRejection("421 4.4.2 timeout");
        assertEquals("552 5.3.4 too big", of(draft).processing().reply());
        assertEquals(
                List.of("eve@rcpt.example: 550 5.1.1 unknown"),
                of(draft).envelope().refused());
        assertEquals(0, draft.recipients());
    }

    @Test
    void asManyRefusedRecipientsAsTheBoundAreNotedAndNoMore() {
        DecisionDraft draft = draft(hear(SHIPPED));
        for (int i = 0; i < 51; i++) {
            draft.addRejected("u" + i + "@rcpt.example", "550 " + i);
        }
        assertEquals(50, of(draft).envelope().refused().size());
        assertEquals("u49@rcpt.example: 550 49", of(draft).envelope().refused().getLast());
        assertEquals("550 50", of(draft).processing().reply());
    }

    @Test
    void theNextHopsNumberIsReadFromItsReplyUnlessTheServerSaysIt() {
        DecisionDraft draft = draft(hear(SHIPPED));
        draft.recordNextHopReply("250 2.0.0 Ok: queued as 4WbV2t5hTxz1");
        assertEquals("4WbV2t5hTxz1", of(draft).processing().nextHopId());
        assertEquals(
                "250 2.0.0 Ok: queued as 4WbV2t5hTxz1", of(draft).processing().nextHopReply());
        draft.setQueueId("4XYZ");
        assertEquals("4XYZ", of(draft).processing().nextHopId());
    }

    @Test
    void limitsAreToldInAlphabeticalOrder() {
        String deep = "Content-Type: text/html\r\n\r\n<a href='http://a.example/'>" + "word ".repeat(1_000);
        MessageEvaluation evaluation = rig.hear(
                rig.evaluator(SHIPPED),
                ConnectingClient.UNKNOWN,
                "s@from.example",
                "X: y\r\n".repeat(5_000) + deep,
                BOB);
        List<String> limits = of(draft(evaluation)).content().lookup().limits();
        assertTrue(limits.contains("headerFields"), limits::toString);
        assertEquals(limits.stream().sorted().toList(), limits);
    }
}
