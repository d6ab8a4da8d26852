package org.bloomgate.server.spool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.EnumSet;
import java.util.Optional;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.policy.Signal;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Verdict;
import org.junit.jupiter.api.Test;

class MailMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MailMetrics metrics = new MailMetrics(registry);

    private void count(Optional<Action> done, String reply) {
        DecisionDraft draft = mock(DecisionDraft.class);
        when(draft.feed()).thenReturn("");
        when(draft.verdict()).thenReturn(Verdict.Kind.CLEAN);
        when(draft.enforced()).thenReturn(done);
        when(draft.findShadowAction()).thenReturn(Optional.empty());
        when(draft.reply()).thenReturn(reply);
        metrics.registerCounters(draft, new StageClock());
    }

    private double replies(String action, String said) {
        return registry.get("bloomgate.replies")
                .tags("action", action, "class", said)
                .counter()
                .count();
    }

    @Test
    void whatWasPassedAndRefusedByTheNextHopIsToldFromWhatWasTaken() {
        count(Optional.of(Action.PASS), "250 2.0.0 Ok: queued");
        count(Optional.of(Action.PASS), "552 5.2.2 Mailbox full");
        count(Optional.of(Action.PASS), "451 4.4.2 Next hop lost");
        count(Optional.of(Action.PASS), "451 4.3.0 Try again");
        count(Optional.of(Action.REJECT), "550 5.7.1 Message refused by policy");
        assertEquals(1.0, replies("pass", "2xx"));
        assertEquals(2.0, replies("pass", "4xx"));
        assertEquals(1.0, replies("pass", "5xx"));
        assertEquals(1.0, replies("reject", "5xx"));
        assertEquals(0.0, replies("tag", "2xx"));
    }

    @Test
    void whatIsNoReplyToAMessageIsNotCounted() {
        count(Optional.of(Action.PASS), "continue");
        count(Optional.empty(), "550 5.1.1 No such user");
        assertEquals(
                0.0,
                registry.get("bloomgate.replies").counters().stream()
                        .mapToDouble(counter -> counter.count())
                        .sum());
    }

    @Test
    void signals_areCountedByWhatWasDone() {
        DecisionDraft draft = mock(DecisionDraft.class);
        when(draft.feed()).thenReturn("");
        when(draft.verdict()).thenReturn(Verdict.Kind.CLEAN);
        when(draft.enforced()).thenReturn(Optional.of(Action.TAG));
        when(draft.findShadowAction()).thenReturn(Optional.empty());
        when(draft.reply()).thenReturn("250 ok");
        when(draft.signals()).thenReturn(EnumSet.of(Signal.NEW_LINK));
        metrics.registerCounters(draft, new StageClock());

        assertEquals(1.0, signals("newLink", "tag"));
        assertEquals(0.0, signals("newLink", "pass"));
        assertEquals(0.0, signals("newLinkOfStranger", "tag"));
    }

    private double signals(String signal, String action) {
        return registry.get("bloomgate.signals")
                .tags("signal", signal, "action", action)
                .counter()
                .count();
    }
}
