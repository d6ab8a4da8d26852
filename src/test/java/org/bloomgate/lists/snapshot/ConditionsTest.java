package org.bloomgate.lists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");

    private Instant now = NOON;
    private final Conditions conditions = new Conditions("service", () -> now);

    @Test
    void sameConditionNotedAgain_keepsItsTime() {
        conditions.noteLayer("nightly", "g1", "a");
        now = NOON.plusSeconds(1);
        conditions.noteLayer("nightly", "g1", "a");
        assertEquals(List.of(new Condition("nightly", "nightly", "g1", "a", NOON)), conditions.list());
        assertEquals(2, conditions.countNotes());
    }

    @Test
    void otherReasonOrGeneration_replacesTheCondition() {
        conditions.noteLayer("nightly", "g1", "a");
        now = NOON.plusSeconds(1);
        conditions.noteLayer("nightly", "g1", "b");
        assertEquals(List.of(new Condition("nightly", "nightly", "g1", "b", now)), conditions.list());
        conditions.noteLayer("nightly", "g2", "b");
        assertEquals(List.of(new Condition("nightly", "nightly", "g2", "b", now)), conditions.list());
    }

    @Test
    void clearedAndForgottenSubjects_areNotListed() {
        conditions.noteUnready("folder tmp", "state (tmp)", "full");
        conditions.note("export rpz", "full");
        assertEquals(List.of("state (tmp): full"), conditions.listUnreadyReasons());
        conditions.clear("folder tmp");
        conditions.forget("export rpz");
        assertEquals(List.of(), conditions.list());
        assertEquals(List.of(), conditions.listUnreadyReasons());
        assertFalse(conditions.has("folder tmp"));
    }
}
