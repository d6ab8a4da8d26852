package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.net.Network;
import org.bloomgate.content.links.MessageLimits;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.core.lookalike.People;
import org.bloomgate.decision.policy.Action;
import org.bloomgate.decision.policy.OverridesFor;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.Test;

class MessageEvaluatorTest {
    private static final PolicyOptions SHIPPED = PolicyOptions.defaults();
    private static final String LISTED = "From: a@sender.example\r\n\r\nsee https://www.evil.example/login\r\n";

    private final ListedHosts hosts = new ListedHosts()
            .lists("evil.example")
            .listsNetworks("203.0.113.0/24")
            .inForce();
    private final EvaluationRig court = new EvaluationRig(hosts);
    private final MessageEvaluator judge = court.judge(SHIPPED);

    private boolean refuses(MessageEvaluator by, String address) {
        return by.refusesAtConnect(court, EvaluationRig.client(address));
    }

    @Test
    void aClientThatAFeedForItListsIsRefusedBeforeItSaysAnything() {
        assertTrue(refuses(judge, "203.0.113.9"));
        assertFalse(refuses(judge, "198.51.100.7"));
        assertFalse(judge.refusesAtConnect(court, ConnectingClient.UNKNOWN));
        assertEquals(0, court.open);
    }

    @Test
    void aListedNameIsNoReasonToRefuseAtConnect() {
        assertFalse(judge.refusesAtConnect(court, EvaluationRig.client("198.51.100.7", "evil.example")));
    }

    @Test
    void nobodyIsAskedWhileNoFeedIsForIt() {
        MessageEvaluator without =
                new MessageEvaluator(judge.lookup(), judge.policy(), judge.reader(), EvaluationRig.MAX_AGE, judge.clock());
        assertFalse(refuses(without, "203.0.113.9"));
    }

    @Test
    void whatOtherFeedsListIsHeardFirst() {
        EvaluationRig other = new EvaluationRig(
                new ListedHosts().operatorListsNetwork("203.0.113.0/24").inForce());
        assertFalse(judge.refusesAtConnect(other, EvaluationRig.client("203.0.113.9")));
    }

    @Test
    void usersOfTheSiteAreNotRefusedAtConnect() {
        hosts.listsNetworks("10.0.0.0/8").inForce();
        assertFalse(refuses(judge, "10.0.0.9"));
        assertFalse(refuses(judge.at(Set.of(), List.of(Network.of("203.0.113.0/24"))), "203.0.113.9"));
    }

    @Test
    void inShadowAndWhereListedClientsAreNotRefusedNobodyIsRefusedAtConnect() {
        assertFalse(refuses(court.judge(RecordCopy.with(SHIPPED, "shadow", true)), "203.0.113.9"));
        PolicyOptions tagging = RecordCopy.with(SHIPPED, "listed", Map.of(Place.CLIENT, Action.TAG));
        assertFalse(refuses(court.judge(tagging), "203.0.113.9"));
    }

    private MessageDecision rule(MessageEvaluator by, ConnectingClient caller) {
        return court.hear(by, caller, "s@from.example", LISTED, "bob@rcpt.example")
                .rule();
    }

    @Test
    void aListenerHasItsOwnRulesAndItsOwnPatience() {
        MessageEvaluator mild = judge.overriddenBy(OverridesFor.everyPlace(Action.TAG), Duration.ofHours(1));
        assertEquals(Action.TAG, rule(mild, ConnectingClient.UNKNOWN).action());
        assertEquals(Action.REJECT, rule(judge, ConnectingClient.UNKNOWN).action());
        assertEquals(Duration.ofHours(1), mild.maxSnapshotAge());
    }

    @Test
    void aListenerHasItsOwnNames() {
        MessageEvaluator there = judge.at(Set.of("submission.corp.example"), List.of());
        ConnectingClient ours = EvaluationRig.client("198.51.100.7", "submission.corp.example");
        String clean = LISTED.replace("evil", "good");
        assertEquals(
                Action.TAG,
                court.hear(there, ours, "s@from.example", clean, "bob@rcpt.example")
                        .rule()
                        .action());
        assertEquals(
                Action.PASS,
                court.hear(judge, ours, "s@from.example", clean, "bob@rcpt.example")
                        .rule()
                        .action());
    }

    @Test
    void numbersWithoutCountryCodeAreThoseOfTheReader() {
        MessageLimits german = RecordCopy.with(MessageLimits.defaults(), "phoneRegions", List.of("DE"));
        MessageEvaluator there = court.judge(SHIPPED, new MessageReader(german));
        assertEquals(
                there.reader().phones().withCode(KeyKind.PHONE, "030 12345678"),
                there.phones().withCode(KeyKind.PHONE, "030 12345678"));
        assertNotEquals("030 12345678", there.phones().withCode(KeyKind.PHONE, "030 12345678"));
    }

    @Test
    void whoHasNamesOrPeopleToProtectGuards() {
        assertFalse(judge.guards());
        assertTrue(judge.guarding(new LookAlikes(List.of("bank.example"), People.NONE, List.of()))
                .guards());
        People people = new People(Map.of("Jane Doe", List.of("jane@bank.example")));
        assertTrue(judge.guarding(new LookAlikes(List.of(), people, List.of())).guards());
    }

    @Test
    void aDoorHoldsTheLayersUntilItsHearingIsOver() {
        MessageScan scan = new MessageScan(court, judge);
        try (MessageEvaluation hearing = scan.open(EvaluationRig.client("203.0.113.9"))) {
            assertEquals(1, court.open);
            assertEquals(EvaluationRig.client("203.0.113.9"), hearing.caller());
        }
        assertEquals(0, court.open);
    }

    @Test
    void whatWasFoundInAMailIsForgottenWithIt() {
        MessageEvaluation first = judge.open(court.lease(), ConnectingClient.UNKNOWN);
        EvaluationRig.read(first, "Subject: x\r\n\r\nhttp://first.example/\r\n");
        assertEquals(List.of("http://first.example/"), values(first));
        first.close();
        first.close();
        assertThrows(IllegalStateException.class, () -> values(first));
        MessageEvaluation listed = judge.open(court.lease(), ConnectingClient.UNKNOWN);
        EvaluationRig.read(listed, "Subject: x\r\n\r\nhttps://www.evil.example/login\r\n");
        listed.close();
        assertFalse(listed.judgement().findings().isEmpty(), "what was found stays");
        assertThrows(IllegalStateException.class, () -> values(listed));
        try (MessageEvaluation second = judge.open(court.lease(), ConnectingClient.UNKNOWN);
                MessageEvaluation third = judge.open(court.lease(), ConnectingClient.UNKNOWN)) {
            EvaluationRig.read(second, "Subject: x\r\n\r\nhttp://second.example/\r\n");
            EvaluationRig.read(third, "Subject: x\r\n\r\nhttp://third.example/\r\n");
            assertEquals(List.of("http://second.example/"), values(second));
            assertEquals(List.of("http://third.example/"), values(third));
        }
        assertEquals(0, court.open);
    }

    @Test
    void layersAreGivenBackWhereThereComesToBeNoHearing() {
        MessageEvaluator failing = RecordCopy.with(judge, "clock", (InstantSource) () -> {
            throw new IllegalStateException("no clock");
        });
        assertThrows(IllegalStateException.class, () -> failing.open(court.lease(), ConnectingClient.UNKNOWN));
        assertEquals(0, court.open);
    }

    private static List<String> values(MessageEvaluation hearing) {
        return hearing.identifiedInMessage().stream()
                .map(ScanResult.Identified::value)
                .toList();
    }
}
