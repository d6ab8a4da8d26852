package org.bloomgate.base.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JitterTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SplittableRandom random = new SplittableRandom(16);

    private long pause() {
        return Jitter.vary(MINUTE, random).toMillis();
    }

    @Test
    void aPauseIsATenthMoreOrLess() {
        LongStream.generate(this::pause)
                .limit(10_000)
                .forEach(millis -> assertTrue(millis >= 54_000 && millis < 66_000, () -> "pause of " + millis));
        assertEquals(
                60_000,
                LongStream.generate(this::pause).limit(10_000).average().orElseThrow(),
                200,
                "as often as without");
    }

    @Test
    void mirrorsStartedTogether_spreadTheirRequests() {
        int[] bySecond = new int[60];
        for (int machine = 0; machine < 6_000; machine++) {
            long at = LongStream.generate(this::pause).limit(30).sum();
            bySecond[(int) (at / 1000 % 60)]++;
        }
        for (int machines : bySecond) {
            assertTrue(machines > 50 && machines < 200, () -> machines + " of 6000 in one second");
        }
    }
}
