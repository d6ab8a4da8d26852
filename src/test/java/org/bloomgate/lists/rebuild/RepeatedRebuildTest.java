package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreDigest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatedRebuildTest {
    @TempDir
    Path folder;

    @Test
    void theSameKeysTimeAndSeedAreTheSameFiltersAndTheSameDigest() throws Exception {
        RebuildRig one = rig("one", "a.example", "b.example", "c.example");
        RebuildRig other = rig("other", "c.example", "b.example", "a.example");
        one.seeds = new SeedSource.Given(42);
        other.seeds = new SeedSource.Given(42);
        assertEquals(RebuildOutcome.PUBLISHED, one.run().outcome());
        assertEquals(RebuildOutcome.PUBLISHED, other.run().outcome());
        for (String file : List.of("domain.bloom", "url.bloom")) {
            assertArrayEquals(
                    Files.readAllBytes(current(one).resolve(file)),
                    Files.readAllBytes(current(other).resolve(file)));
        }
        assertEquals(digest(one), digest(other));
        assertEquals(
                List.of("domain 3", "url 1"),
                digest(one).stream()
                        .map(line -> line.substring(0, line.lastIndexOf(' ')))
                        .sorted()
                        .toList());

        other.seeds = new SeedSource.Given(43);
        assertEquals(RebuildOutcome.PUBLISHED, other.run().outcome());
        assertNotEquals(
                Files.mismatch(
                        current(one).resolve("domain.bloom"), current(other).resolve("domain.bloom")),
                -1);
        assertEquals(digest(one), digest(other), "the seed is none of what is listed");

        other.now = other.now.plus(Duration.ofDays(1));
        assertEquals(RebuildOutcome.PUBLISHED, other.run().outcome());
        assertNotEquals(digest(one), digest(other), "when it was last seen is");
    }

    private RebuildRig rig(String name, String... domains) throws IOException {
        return new RebuildRig(Files.createDirectory(folder.resolve(name)))
                .feed("domains", KeyKind.DOMAIN, domains)
                .feed("urls", KeyKind.URL, "http://d.example/path");
    }

    private static Path current(RebuildRig rig) throws IOException {
        LayerDirectory layer = new LayerDirectory(rig.snapshots, "nightly");
        Optional<String> generation = layer.readCurrent();
        return layer.resolveGeneration(generation.orElseThrow());
    }

    private static List<String> digest(RebuildRig rig) throws IOException {
        try (SortedStore store = SortedStore.open(current(rig).resolve("exact"))) {
            return StoreDigest.computeLines(store);
        }
    }
}
