package org.bloomgate.lists.build;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.bloomgate.core.key.KeyKind;

/// Where the seeds of filters come from.
public sealed interface SeedSource {

    /// Drawn when the time of the one before is over, so that no one can prepare keys that collide.
    record Drawn(RandomGenerator random) implements SeedSource {}

    /// Given: the same keys at the same time are the same filters, byte by byte, on every machine.
    ///
    /// @param seed from which each kind derives its own
    record Given(long seed) implements SeedSource {
        private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

        public long of(KeyKind kind) {
            return new SplittableRandom(seed ^ (kind.wireCode() * GOLDEN_RATIO)).nextLong();
        }
    }
}
