package org.bloomgate.lists.layer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.bloomgate.base.io.JsonFile;
import org.bloomgate.core.key.KeyKind;

/// The hash seeds of a layer's filters, one for each kind. They are random, so that no one can prepare keys
/// that collide. A seed is used for [#LIFETIME], within which two builds of the same keys and size have the same
/// bits; then a new one is drawn, so that a false positive does not last for ever.
///
/// The seeds are in a small file of the builder. If the file is missing or damaged, new seeds are drawn.
public final class FilterSeeds {
    static final Duration LIFETIME = Duration.ofDays(7);

    private static final int MAX_BYTES = 1 << 16;

    private final JsonFile<Content> file;
    private final Map<KeyKind, Seed> seeds = new EnumMap<>(KeyKind.class);

    /// @param drawnAt the time at which it was drawn
    private record Seed(long bits, Instant drawnAt) {}

    private record Content(Map<KeyKind, Seed> seeds) {}

    /// Reads the file.
    public FilterSeeds(Path path) {
        this.file = new JsonFile<>(path, MAX_BYTES, Content.class);
        file.readOrRestart("new filter seeds are drawn").ifPresent(content -> seeds.putAll(content.seeds()));
    }

    /// Chooses the seed of a kind: a given seed replaces the drawn one.
    public long choose(KeyKind kind, Instant now, SeedSource source) {
        return switch (source) {
            case SeedSource.Drawn(RandomGenerator random) -> choose(kind, now, random);
            case SeedSource.Given given -> {
                seeds.put(kind, new Seed(given.of(kind), now));
                yield given.of(kind);
            }
        };
    }

    /// Chooses the seed of a kind: the stored one, or a new one from `random` if there is none or it has expired.
    public long choose(KeyKind kind, Instant now, RandomGenerator random) {
        Seed current = seeds.get(kind);
        if (current == null
                || current.drawnAt().plus(LIFETIME).isBefore(now)
                || current.drawnAt().isAfter(now)) {
            current = new Seed(random.nextLong(), now);
            seeds.put(kind, current);
        }
        return current.bits();
    }

    /// Forgets all seeds, so that new ones are drawn.
    public void forget() {
        seeds.clear();
    }

    /// When the first of the seeds expires; empty without seeds.
    public Optional<Instant> findExpiry() {
        return seeds.values().stream()
                .map(seed -> seed.drawnAt().plus(LIFETIME))
                .min(Instant::compareTo);
    }

    /// Replaces the file.
    public void write() throws IOException {
        file.write(new Content(seeds));
    }
}
