package org.bloomgate.lists.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import org.bloomgate.core.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterSeedsTest {
    private static final Instant NOW = Instant.parse("2026-03-02T02:00:00Z");

    @TempDir
    private Path folder;

    private final SplittableRandom random = new SplittableRandom(3);

    @Test
    void kinds_haveDifferentSeeds() throws Exception {
        FilterSeeds seeds = new FilterSeeds(folder.resolve("seeds"));
        assertNotEquals(domain(seeds, NOW), seeds.choose(KeyKind.URL, 1, NOW, random));
    }

    @Test
    void seed_isKeptForItsLifetime() throws Exception {
        long drawn = drawAndWrite(NOW);
        for (int day = 1; day <= 7; day++) {
            FilterSeeds seeds = new FilterSeeds(folder.resolve("seeds"));
            assertEquals(drawn, domain(seeds, NOW.plus(Duration.ofDays(day))), "day " + day);
            seeds.write();
        }
        FilterSeeds seeds = new FilterSeeds(folder.resolve("seeds"));
        assertNotEquals(drawn, domain(seeds, NOW.plus(FilterSeeds.LIFETIME).plusSeconds(1)));
    }

    @ParameterizedTest
    @CsvSource({"0, 7", "1, 28"})
    void seedOfManyKeys_isKeptFourWeeks(long more, int days) {
        FilterSeeds seeds = new FilterSeeds(folder.resolve("seeds"));
        long keys = FilterSeeds.MANY_KEYS + more;
        long drawn = seeds.choose(KeyKind.DOMAIN, keys, NOW, random);
        Instant expiry = NOW.plus(Duration.ofDays(days));
        assertEquals(Optional.of(expiry), seeds.findExpiry());
        assertEquals(drawn, seeds.choose(KeyKind.DOMAIN, keys, expiry, random));
        assertNotEquals(drawn, seeds.choose(KeyKind.DOMAIN, keys, expiry.plusSeconds(1), random));
    }

    @Test
    void seedFromFuture_isReplaced() throws Exception {
        long drawn = drawAndWrite(NOW);
        assertNotEquals(drawn, domain(new FilterSeeds(folder.resolve("seeds")), NOW.minusSeconds(60)));
    }

    @Test
    void damagedFile_givesNewSeeds() throws Exception {
        long drawn = drawAndWrite(NOW);
        Path file = folder.resolve("seeds");
        Files.writeString(file, Files.readString(file).replace("DOMAIN", "NOTHING"));
        assertNotEquals(drawn, domain(new FilterSeeds(file), NOW));
        Files.write(file, new byte[] {(byte) 0xff, 0, '\n', 'd', 'o'});
        assertNotEquals(drawn, domain(new FilterSeeds(file), NOW));
    }

    private long drawAndWrite(Instant at) throws Exception {
        FilterSeeds seeds = new FilterSeeds(folder.resolve("seeds"));
        long drawn = domain(seeds, at);
        seeds.write();
        return drawn;
    }

    private long domain(FilterSeeds seeds, Instant at) {
        return seeds.choose(KeyKind.DOMAIN, 1, at, random);
    }
}
