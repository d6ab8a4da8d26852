package org.bloomgate.base.concurrent;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/// Pauses a tenth longer or shorter at random, so that machines which began together do not go on together.
public final class Jitter {
    static final double SHARE = 0.1;

    private Jitter() {}

    public static Duration of(Duration pause) {
        return of(pause, ThreadLocalRandom.current());
    }

    static Duration of(Duration pause, RandomGenerator random) {
        return Duration.ofNanos((long) (pause.toNanos() * (1 - SHARE + 2 * SHARE * random.nextDouble())));
    }
}
