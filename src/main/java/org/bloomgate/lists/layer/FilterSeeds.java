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
/// that collide. A seed is used for a week, within which two builds of the same keys and size have the same bits; then
/// a new one is drawn, so that a false positive does not last for ever. With a new seed every mirror fetches all
/// hashes, 5 bytes for each key; so above [#MANY_KEYS] keys (100 MB) a seed is used for four weeks.
///
/// The seeds are in a small file of the builder. If the file is missing or damaged, new seeds are drawn.
public final class FilterSeeds {
    static final Duration LIFETIME = Duration.ofDays(7);
    static final Duration LIFETIME_OF_MANY = Duration.ofDays(28);
    static final long MANY_KEYS = 16_000_000;

    private static final int MAX_BYTES = 1 << 16;

    private final JsonFile<Content> file;
    private final Map<KeyKind, Seed> seeds = new EnumMap<>(KeyKind.class);

    /// @param drawnAt the time at which it was drawn
    private record Seed(long bits, Instant drawnAt, Instant expiresAt) {
        Seed(long bits, Instant drawnAt, long keys) {
            this(bits, drawnAt, drawnAt.plus(keys > MANY_KEYS ? LIFETIME_OF_MANY : LIFETIME));
        }
    }

    private record Content(Map<KeyKind, Seed> seeds) {}

    /// Reads the file.
    public FilterSeeds(Path path) {
        this.file = new JsonFile<>(path, MAX_BYTES, Content.class);
        file.readOrRestart("new filter seeds are drawn").ifPresent(content -> seeds.putAll(content.seeds()));
    }

    /// Chooses the seed of a kind: a given seed replaces the drawn one.
    ///
    /// @param keys of that kind
    public long choose(KeyKind kind, long keys, Instant now, SeedSource source) {
        return switch (source) {
            case SeedSource.Drawn(RandomGenerator random) -> choose(kind, keys, now, random);
            case SeedSource.Given given -> {
                seeds.put(kind, new Seed(given.of(kind), now, keys));
                yield given.of(kind);
            }
        };
    }

    /// Chooses the seed of a kind: the stored one, or a new one from `random` if there is none or it has expired.
    long choose(KeyKind kind, long keys, Instant now, RandomGenerator random) {
        Seed current = seeds.get(kind);
        if (current == null
                || current.expiresAt().isBefore(now)
                || current.drawnAt().isAfter(now)) {
            current = new Seed(random.nextLong(), now, keys);
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
        return seeds.values().stream().map(Seed::expiresAt).min(Instant::compareTo);
    }

    /// Replaces the file.
    public void write() throws IOException {
        file.write(new Content(seeds));
    }
}
