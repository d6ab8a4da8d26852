package org.bloomgate.app.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.junit.jupiter.api.Test;

class ExactWatchTest {
    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final LiveStatus FINE = new LiveStatus(List.of(), List.of(), 0);

    private final Map<String, String> losses = new TreeMap<>();
    private Instant now = NOON;
    private final Conditions conditions = new Conditions("service", () -> now);
    private final ExactWatch watch = new ExactWatch(() -> losses, conditions);

    @Test
    void loss_isInTheStatusUntilItIsRepaired() {
        watch.round();
        assertEquals(FINE, FINE.with(conditions));
        losses.put("nightly", "everything is lost");
        watch.round();
        now = NOON.plusSeconds(15);
        watch.round();
        LiveStatus lost = FINE.with(conditions);
        assertEquals(List.of(Condition.of("exact.redis nightly", "everything is lost", NOON)), lost.conditions());
        assertEquals(List.of(), lost.unreadyReasons());
        losses.clear();
        watch.round();
        assertEquals(FINE, FINE.with(conditions));
    }
}
