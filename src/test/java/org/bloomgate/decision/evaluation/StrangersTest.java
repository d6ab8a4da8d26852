package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.core.lookalike.People;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.decision.memory.FirstContact;
import org.bloomgate.decision.memory.SenderMemory;
import org.bloomgate.decision.memory.SiteMemory;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.server.api.SmallLayer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// First contacts and look-alikes, each by itself and together.
class StrangersTest {
    private static final String JANE = "jane@corp.example";
    private static final String LOOKS_LIKE = "x@g0ldenbank.example";

    private final LayerSource layers = new SmallLayer()
            .lists(KeyKind.DOMAIN, "evil.example", Use.HEADER, 0)
            .inForce();

    @TempDir
    private Path folder;

    private Instant now = Instant.EPOCH;
    private SiteMemory memory = SiteMemory.NONE;
    private MessageEvaluator evaluator = EvaluationRig.evaluator(
                    new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()),
                    new Policy(PolicyOptions.defaults(), Map.of("default", Action.TAG)),
                    new MessageReader(MessageLimits.defaults()),
                    Duration.ofDays(36_500),
                    InstantSource.fixed(Instant.EPOCH))
            .withParts(EvaluationRig.guarding(new LookAlikes(List.of("goldenbank.example"), People.NONE, List.of())));

    @BeforeEach
    void learn() throws IOException {
        memory = new SiteMemory(folder, new SiteMemory.Options(false, true), () -> now);
        now = now.plus(Duration.ofDays(14));
        evaluator = evaluator.withParts(memory);
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private SenderMemory senders() {
        return memory.senders().orElseThrow();
    }

    private boolean isKnown(String sender) {
        return senders().firstContact(List.of(JANE), sender) == FirstContact.NONE;
    }

    private MessageEvaluator submission() {
        MessageEvaluator.ListenerRules rules = evaluator.rules();
        return evaluator.withParts(new MessageEvaluator.ListenerRules(
                rules.policy(), rules.maxSnapshotAge(), new Site(Set.of(), List.of(), Set.of(), true)));
    }

    private MessageDecision deliver(MessageEvaluator by, ConnectingClient caller, String from, String... recipients)
            throws IOException {
        try (MessageEvaluation evaluation = by.open(layers.lease(), caller)) {
            evaluation.mailFrom("bounces@esp.example");
            Arrays.stream(recipients).forEach(evaluation::rcptTo);
            evaluation.message(
                    () -> new ByteArrayInputStream(
                            ("From: Somebody <" + from + ">\r\n\r\nhello\r\n").getBytes(StandardCharsets.UTF_8)),
                    0);
            evaluation.lookUp();
            MessageDecision decision = evaluation.decide(InputStream::nullInputStream);
            notes = Stream.concat(evaluation.facts().describe(now).stream(), evaluation.notes().stream())
                    .toList();
            evaluation.delivered();
            return decision;
        }
    }

    private List<String> notes = List.of();

    private MessageDecision deliver(String from) throws IOException {
        return deliver(evaluator, ConnectingClient.UNKNOWN, from, JANE);
    }

    @Test
    void firstContactAloneIsOnlyTold() throws IOException {
        assertEquals(Action.PASS, deliver("news@shop.example").action());
        assertEquals(List.of("first contact: domain"), notes);
        assertEquals(Action.PASS, deliver("news@shop.example").action());
        assertEquals(List.of(), notes);
    }

    @Test
    void knownLookAlike_withoutProof_isTagged() throws IOException {
        senders().rememberPair(JANE, LOOKS_LIKE, Optional.empty());
        assertEquals(Action.TAG, deliver(LOOKS_LIKE).action());
        assertEquals(List.of("g0ldenbank.example at header:From looks like goldenbank.example (homoglyph)"), notes);
    }

    @Test
    void lookAlikeOnFirstContactIsTaggedAndStaysAStranger() throws IOException {
        for (int mail = 0; mail < 2; mail++) {
            MessageDecision decision = deliver(LOOKS_LIKE);
            assertEquals(Action.TAG, decision.action());
            assertEquals("looks like goldenbank.example (homoglyph) on first contact", decision.reason());
        }
        assertFalse(isKnown(LOOKS_LIKE));
    }

    @Test
    void mailToNobodyInParticularIsNoFirstContact() throws IOException {
        assertEquals(
                Action.PASS,
                deliver(evaluator, ConnectingClient.UNKNOWN, LOOKS_LIKE, "").action());
    }

    @Test
    void listedMailMakesNobodyKnown() throws IOException {
        assertEquals(Action.REJECT, deliver("a@evil.example").action());
        assertFalse(isKnown("a@evil.example"));
    }

    @Test
    void whoWasWrittenToIsKnownToWhoWrote() throws IOException {
        deliver(submission(), ConnectingClient.UNKNOWN, JANE, "news@shop.example");
        assertEquals(List.of(), notes);
        deliver("news@shop.example");
        assertEquals(List.of(), notes);
    }

    @Test
    void clientThatHasLoggedInWritesForTheSite() throws IOException {
        deliver(
                evaluator,
                new ConnectingClient(Optional.empty(), "", "", true, ResultsSource.STRANGER),
                JANE,
                "news@shop.example");
        deliver("news@shop.example");
        assertEquals(List.of(), notes);
    }
}
