package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.bloomgate.core.delta.HashList;
import org.bloomgate.core.delta.Hashes;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedDeltasTest {
    @TempDir
    private Path folder;

    private final SplittableRandom random = new SplittableRandom(11);
    private int checked;

    /// Also while deltas of earlier generations are damaged.
    @Test
    void hashDelta_equalsDifferenceOfWholeLists() throws Exception {
        RebuildRig rig = new RebuildRig(folder).feed("domains", KeyKind.DOMAIN);
        for (int day = 0; day < 12; day++) {
            if (day == 6) {
                damage(rig);
            }
            rebuild(rig, names(day));
            check(rig);
        }
        assertTrue(checked > 50, checked + " changes");
    }

    /// All hashes are fetched instead.
    @Test
    void hashDeltaLargerThanFilter_isNotWritten() throws Exception {
        RebuildRig rig = new RebuildRig(folder).feed("domains", KeyKind.DOMAIN);
        rebuild(rig, number(0));
        rebuild(rig, number(1000));
        assertEquals(1, countDeltas(rig));
        rebuild(rig, number(9000));
        assertEquals(0, countDeltas(rig));
    }

    private static String[] number(int from) {
        return IntStream.range(from, from + 4000)
                .mapToObj(number -> "n" + number + ".example")
                .toArray(String[]::new);
    }

    private static long countDeltas(RebuildRig rig) throws IOException {
        try (var files = Files.list(rig.snapshot())) {
            return files.filter(file -> file.toString().endsWith(".delta")).count();
        }
    }

    private static void rebuild(RebuildRig rig, String... names) throws IOException {
        rig.content("domains", names);
        assertEquals(
                RebuildOutcome.PUBLISHED, rig.run(Set.of(), Rebuild.Mode.FORCE).outcome());
        rig.pass(Duration.ofHours(1));
    }

    /// Some go and come back, some that were never there come.
    private String[] names(int day) {
        return IntStream.range(0, 400)
                .filter(_ -> random.nextInt(100) > 0)
                .mapToObj(number -> "n" + number + ".example")
                .map(name -> random.nextInt(100) == 0 ? "day" + day + name : name)
                .toArray(String[]::new);
    }

    /// Truncates the deltas of the last generation.
    private static void damage(RebuildRig rig) throws IOException {
        Path last = rig.snapshot();
        try (var files = Files.list(last)) {
            for (Path file : files.filter(one -> one.getFileName().toString().matches("domain\\..*\\.delta"))
                    .toList()) {
                Files.write(file, new byte[] {1});
            }
        }
    }

    private void check(RebuildRig rig) throws Exception {
        Path made = rig.snapshot();
        HashList now = hashes(made);
        LayerDirectory layer = new LayerDirectory(rig.snapshots, "nightly");
        try (var kept = Files.list(layer.path().resolve(".past"))) {
            for (Path past :
                    kept.filter(one -> !made.endsWith(one.getFileName())).toList()) {
                Path delta = made.resolve("domain." + past.getFileName() + ".delta");
                if (Files.exists(delta)) {
                    assertArrayEquals(Hashes.change(hashes(past), now), Files.readAllBytes(delta));
                    checked++;
                }
            }
        }
    }

    private static HashList hashes(Path generation) throws Exception {
        return Hashes.read(Files.readAllBytes(generation.resolve("domain.hashes")));
    }
}
