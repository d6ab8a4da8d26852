package org.bloomgate.lookup.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentSuspectsTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong(1_000 * SECOND);
    private final RecentSuspects recent = new RecentSuspects(now::get);

    @Test
    void fewSuspectsSayNothing() {
        answered(RecentSuspects.FEWEST - 1, 0);
        assertEquals(Optional.empty(), recent.describeDegradation());
        answered(1, 0);
        assertEquals(
                Optional.of("20 of 20 suspects of the last minute could not be looked up"),
                recent.describeDegradation());
    }

    @Test
    void moreThanOneInTwentyIsDegraded() {
        answered(5, 95);
        assertEquals(Optional.empty(), recent.describeDegradation());
        answered(1, 0);
        assertEquals(
                Optional.of("6 of 101 suspects of the last minute could not be looked up"),
                recent.describeDegradation());
    }

    @Test
    void afterAMinuteItIsForgotten() {
        answered(50, 0);
        now.addAndGet(55 * SECOND);
        assertEquals(true, recent.describeDegradation().isPresent());
        now.addAndGet(5 * SECOND);
        assertEquals(Optional.empty(), recent.describeDegradation());
        answered(0, 20);
        assertEquals(Optional.empty(), recent.describeDegradation());
    }

    private void answered(int unresolved, int resolved) {
        for (int i = 0; i < unresolved + resolved; i++) {
            recent.countAnswer(i >= unresolved);
        }
    }
}
