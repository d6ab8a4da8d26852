package org.bloomgate.lists.layer;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.bloomgate.core.key.KeyKind;

/// The source of the seeds of filters.
public sealed interface SeedSource {

    /// Random seeds, drawn when the previous one expires, so that no one can prepare keys that collide.
    record Drawn(RandomGenerator random) implements SeedSource {}

    /// A given seed: the same keys at the same time make the same filters, byte by byte, on every machine.
    ///
    /// @param seed from which each kind derives its own
    record Given(long seed) implements SeedSource {
        private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

        public long of(KeyKind kind) {
            return new SplittableRandom(seed ^ (kind.wireCode() * GOLDEN_RATIO)).nextLong();
        }
    }
}
