package org.bloomgate.base.concurrent;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/// Pauses that are up to a tenth longer or shorter at random, so that machines that start at the same time do
/// not stay in step.
public final class Jitter {
    static final double SHARE = 0.1;

    private Jitter() {}

    public static Duration vary(Duration pause) {
        return vary(pause, ThreadLocalRandom.current());
    }

    static Duration vary(Duration pause, RandomGenerator random) {
        return Duration.ofNanos((long) (pause.toNanos() * (1 - SHARE + 2 * SHARE * random.nextDouble())));
    }
}
