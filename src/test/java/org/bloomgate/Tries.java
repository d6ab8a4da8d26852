package org.bloomgate;

import java.util.Random;

/// A property asked many times of values drawn at random, the same ones in every run.
public final class Tries {
    private Tries() {}

    /// What must hold of the values it draws.
    public interface Property {
        void holds(Random random) throws Exception;
    }

    /// Asks `tries` times, each with a generator of its own; a failure names the seed of the try that it came in.
    public static void of(int tries, long seed, Property property) {
        for (int i = 0; i < tries; i++) {
            try {
                property.holds(new Random(seed + i));
            } catch (Exception | AssertionError e) {
                throw new AssertionError("with the seed " + (seed + i) + ": " + e.getMessage(), e);
            }
        }
    }
}
