package org.bloomgate.lists.layer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.core.key.KeyKind;

/// The hash seeds of a layer's filters, one for each kind. They are random, so that no one can prepare keys
/// that collide. A seed is used for a set time, within which two builds of the same keys and size have the same
/// bits; then a new one is drawn, so that a false positive does not last for ever.
///
/// The seeds are in a small file of the builder, one line for each kind: label, seed in hex, time of drawing.
/// If the file is missing or damaged, new seeds are drawn.
public final class FilterSeeds {
    private static final int MAX_BYTES = 1 << 16;
    private static final Pattern LINE = Pattern.compile("([a-z]+) ([0-9a-f]{16}) ([0-9]{1,11})");

    private final Path file;
    private final Map<KeyKind, Drawn> drawn;

    private record Drawn(long seed, Instant at) {}

    private FilterSeeds(Path file, Map<KeyKind, Drawn> drawn) {
        this.file = file;
        this.drawn = drawn;
    }

    public static FilterSeeds read(Path file) throws IOException {
        Map<KeyKind, Drawn> drawn = new EnumMap<>(KeyKind.class);
        try {
            for (String line : new String(StateFile.bytes(file, MAX_BYTES), StandardCharsets.ISO_8859_1)
                    .lines()
                    .toList()) {
                Matcher matcher = LINE.matcher(line);
                Optional<KeyKind> kind = matcher.matches() ? KeyKind.ofLabel(matcher.group(1)) : Optional.empty();
                if (kind.isPresent()) {
                    long seed = HexFormat.fromHexDigitsToLong(matcher.group(2));
                    drawn.put(kind.get(), new Drawn(seed, Instant.ofEpochSecond(Long.parseLong(matcher.group(3)))));
                }
            }
        } catch (NoSuchFileException e) {
            return new FilterSeeds(file, drawn);
        }
        return new FilterSeeds(file, drawn);
    }

    /// The seed of a kind from a source. A given seed replaces the drawn one.
    public long of(KeyKind kind, Instant now, Duration lifetime, SeedSource source) {
        return switch (source) {
            case SeedSource.Drawn(RandomGenerator random) -> of(kind, now, lifetime, random);
            case SeedSource.Given given -> {
                drawn.put(kind, new Drawn(given.of(kind), now));
                yield given.of(kind);
            }
        };
    }

    /// The seed of a kind; a new one from `random` if there is none yet or it has expired.
    public long of(KeyKind kind, Instant now, Duration lifetime, RandomGenerator random) {
        Drawn current = drawn.get(kind);
        if (current == null
                || current.at().plus(lifetime).isBefore(now)
                || current.at().isAfter(now)) {
            current = new Drawn(random.nextLong(), now);
            drawn.put(kind, current);
        }
        return current.seed();
    }

    /// Forgets all seeds, so that new ones are drawn.
    public void forget() {
        drawn.clear();
    }

    /// When the first of the seeds expires; empty if the lifetime is 0, as each build draws new ones then.
    public Optional<Instant> until(Duration lifetime) {
        return drawn.values().stream()
                .map(seed -> seed.at().plus(lifetime))
                .filter(_ -> lifetime.isPositive())
                .min(Instant::compareTo);
    }

    /// Replaces the file.
    public void write() throws IOException {
        String text = drawn.entrySet().stream()
                .map(entry -> entry.getKey().label() + " "
                        + HexFormat.of().toHexDigits(entry.getValue().seed()) + " "
                        + entry.getValue().at().getEpochSecond() + "\n")
                .collect(Collectors.joining());
        Files.createDirectories(file.toAbsolutePath().getParent());
        DurableFiles.replace(file, text.getBytes(StandardCharsets.US_ASCII));
    }
}
