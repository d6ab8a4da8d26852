package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.net.Network;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.core.lookalike.People;
import org.bloomgate.decision.evaluation.MessageEvaluator.SenderChecks;
import org.bloomgate.decision.policy.OverridesFor;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.Test;

class MessageEvaluatorTest {
    private static final PolicyOptions SHIPPED = PolicyOptions.defaults();
    private static final String LISTED = "From: a@sender.example\r\n\r\nsee https://www.evil.example/login\r\n";

    private final ListedHosts hosts = new ListedHosts()
            .lists("evil.example")
            .listsNetworks("203.0.113.0/24")
            .inForce();
    private final EvaluationRig rig = new EvaluationRig(hosts);
    private final MessageEvaluator evaluator = rig.evaluator(SHIPPED);

    private boolean refuses(MessageEvaluator by, String address) {
        return by.rejectsAtConnect(rig, EvaluationRig.client(address));
    }

    @Test
    void aClientThatAFeedForItListsIsRefusedBeforeItSaysAnything() {
        assertTrue(refuses(evaluator, "203.0.113.9"));
        assertFalse(refuses(evaluator, "198.51.100.7"));
        assertFalse(evaluator.rejectsAtConnect(rig, ConnectingClient.UNKNOWN));
        assertEquals(0, rig.open);
    }

    @Test
    void aListedNameIsNoReasonToRefuseAtConnect() {
        assertFalse(evaluator.rejectsAtConnect(rig, EvaluationRig.client("198.51.100.7", "evil.example")));
    }

    @Test
    void nobodyIsAskedWhileNoFeedIsForIt() {
        MessageEvaluator without = EvaluationRig.evaluator(
                evaluator.lookup(),
                evaluator.rules().policy(),
                evaluator.reading().reader(),
                EvaluationRig.MAX_AGE,
                evaluator.clock());
        assertFalse(refuses(without, "203.0.113.9"));
    }

    @Test
    void whatOtherFeedsListIsHeardFirst() {
        EvaluationRig other = new EvaluationRig(
                new ListedHosts().operatorListsNetwork("203.0.113.0/24").inForce());
        assertFalse(evaluator.rejectsAtConnect(other, EvaluationRig.client("203.0.113.9")));
    }

    @Test
    void usersOfTheSiteAreNotRefusedAtConnect() {
        hosts.listsNetworks("10.0.0.0/8").inForce();
        assertFalse(refuses(evaluator, "10.0.0.9"));
        assertFalse(refuses(at(Set.of(), List.of(Network.of("203.0.113.0/24"))), "203.0.113.9"));
    }

    @Test
    void shadowOrMilderClients_noRefusalAtConnect() {
        assertFalse(refuses(rig.evaluator(RecordCopy.with(SHIPPED, "shadow", true)), "203.0.113.9"));
        PolicyOptions tagging = RecordCopy.with(SHIPPED, "listed", Map.of(Place.CLIENT, Action.TAG));
        assertFalse(refuses(rig.evaluator(tagging), "203.0.113.9"));
    }

    private MessageDecision rule(MessageEvaluator by, ConnectingClient caller) throws IOException {
        return rig.hear(by, caller, "s@from.example", LISTED, "bob@rcpt.example")
                .decide(InputStream::nullInputStream);
    }

    private MessageEvaluator at(Set<String> ownNames, List<Network> ownNetworks) {
        MessageEvaluator.ListenerRules rules = evaluator.rules();
        return evaluator.withParts(new MessageEvaluator.ListenerRules(
                rules.policy(), rules.maxSnapshotAge(), new Site(ownNames, ownNetworks, EvaluationRig.AT_CONNECT)));
    }

    @Test
    void aListenerHasItsOwnRulesAndItsOwnPatience() throws IOException {
        MessageEvaluator mild = evaluator.withParts(new MessageEvaluator.ListenerRules(
                evaluator.rules().policy().overriddenBy(OverridesFor.everyPlace(Action.TAG)),
                Duration.ofHours(1),
                evaluator.rules().site()));
        assertEquals(Action.TAG, rule(mild, ConnectingClient.UNKNOWN).action());
        assertEquals(Action.REJECT, rule(evaluator, ConnectingClient.UNKNOWN).action());
    }

    @Test
    void aListenerHasItsOwnNames() throws IOException {
        MessageEvaluator there = at(Set.of("submission.corp.example"), List.of());
        ConnectingClient ours = EvaluationRig.client("198.51.100.7", "submission.corp.example");
        String clean = LISTED.replace("evil", "good");
        assertEquals(
                Action.TAG,
                rig.hear(there, ours, "s@from.example", clean, "bob@rcpt.example")
                        .decide(InputStream::nullInputStream)
                        .action());
        assertEquals(
                Action.PASS,
                rig.hear(evaluator, ours, "s@from.example", clean, "bob@rcpt.example")
                        .decide(InputStream::nullInputStream)
                        .action());
    }

    @Test
    void numbersWithoutCountryCodeAreThoseOfTheReader() throws IOException {
        MessageLimits german = RecordCopy.with(MessageLimits.defaults(), "phoneRegions", List.of("DE"));
        MessageEvaluator there = rig.evaluator(SHIPPED, new MessageReader(german));
        assertEquals(
                there.reading().reader().phones().withCode(KeyKind.PHONE, "030 12345678"),
                there.phones().withCode(KeyKind.PHONE, "030 12345678"));
        assertNotEquals("030 12345678", there.phones().withCode(KeyKind.PHONE, "030 12345678"));
    }

    @Test
    void whoHasNamesOrPeopleToProtectGuards() {
        assertFalse(SenderChecks.NONE.hasProtectedNames());
        assertTrue(EvaluationRig.guarding(new LookAlikes(List.of("bank.example"), People.NONE, List.of()))
                .hasProtectedNames());
        People people = new People(Map.of("Jane Doe", List.of("jane@bank.example")));
        assertTrue(EvaluationRig.guarding(new LookAlikes(List.of(), people, List.of()))
                .hasProtectedNames());
    }

    @Test
    void evaluation_holdsTheLayersUntilItIsClosed() {
        MessageScan scan = new MessageScan(rig, evaluator);
        try (MessageEvaluation evaluation = scan.open(EvaluationRig.client("203.0.113.9"))) {
            assertEquals(1, rig.open);
            assertEquals(EvaluationRig.client("203.0.113.9"), evaluation.caller());
        }
        assertEquals(0, rig.open);
    }

    @Test
    void whatWasFoundInAMailIsForgottenWithIt() {
        MessageEvaluation first = evaluator.open(rig.lease(), ConnectingClient.UNKNOWN);
        EvaluationRig.read(first, "Subject: x\r\n\r\nhttp://first.example/\r\n");
        assertEquals(List.of("http://first.example/"), values(first));
        first.close();
        first.close();
        assertThrows(IllegalStateException.class, () -> values(first));
        MessageEvaluation listed = evaluator.open(rig.lease(), ConnectingClient.UNKNOWN);
        EvaluationRig.read(listed, "Subject: x\r\n\r\nhttps://www.evil.example/login\r\n");
        listed.close();
        assertFalse(listed.lookupResult().findings().isEmpty(), "what was found stays");
        assertThrows(IllegalStateException.class, () -> values(listed));
        try (MessageEvaluation second = evaluator.open(rig.lease(), ConnectingClient.UNKNOWN);
                MessageEvaluation third = evaluator.open(rig.lease(), ConnectingClient.UNKNOWN)) {
            EvaluationRig.read(second, "Subject: x\r\n\r\nhttp://second.example/\r\n");
            EvaluationRig.read(third, "Subject: x\r\n\r\nhttp://third.example/\r\n");
            assertEquals(List.of("http://second.example/"), values(second));
            assertEquals(List.of("http://third.example/"), values(third));
        }
        assertEquals(0, rig.open);
    }

    @Test
    void layersAreGivenBackWhereThereComesToBeNoHearing() {
        MessageEvaluator failing = RecordCopy.with(evaluator, "clock", (InstantSource) () -> {
            throw new IllegalStateException("no clock");
        });
        assertThrows(IllegalStateException.class, () -> failing.open(rig.lease(), ConnectingClient.UNKNOWN));
        assertEquals(0, rig.open);
    }

    private static List<String> values(MessageEvaluation evaluation) {
        return evaluation.identifiedInMessage().get().stream()
                .map(ScanResult.Identified::value)
                .toList();
    }
}
