package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.delta.HashList;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.build.RebuildOutcome;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lookup.store.ChangeStep;
import org.bloomgate.lookup.store.SortedStores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedChangesTest {
    @TempDir
    private Path folder;

    private final SplittableRandom random = new SplittableRandom(11);
    private int checked;

    /// Whether a change was made of the changes before or of whole lists is not to be seen.
    @Test
    void changesOfHashesAreThoseOfTheListsOfEveryGenerationThatIsKept() throws Exception {
        RebuildRig rig = new RebuildRig(folder).feed("domains", KeyKind.DOMAIN);
        for (int day = 0; day < 12; day++) {
            if (day == 6) {
                damage(rig);
            }
            rebuild(rig, names(400, day));
            check(rig);
        }
        assertTrue(checked > 50, checked + " changes");
    }

    /// Six of them are handed on, each as it was written, until one is gone or damaged.
    @Test
    void changesOfEntriesLeadBackSevenGenerationsUntilOneIsNotAsItWas() throws Exception {
        RebuildRig rig = new RebuildRig(folder).feed("domains", KeyKind.DOMAIN);
        List<String> made = new ArrayList<>();
        for (int day = 0; day < 10; day++) {
            rebuild(rig, names(10_000, day));
            made.add(rig.current().orElseThrow());
            assertEquals(Math.min(day, 7), steps(rig).size(), "day " + day);
        }
        assertEquals(made.get(2), steps(rig).getLast().since());
        Path damaged =
                rig.snapshot().resolve(steps(rig).get(3).fileName(rig.current().orElseThrow()));
        Files.write(damaged, new byte[] {1});
        rebuild(rig, names(10_000, 10));
        assertEquals(4, steps(rig).size());
        Files.delete(
                rig.snapshot().resolve(steps(rig).get(1).fileName(rig.current().orElseThrow())));
        rebuild(rig, names(10_000, 11));
        assertEquals(2, steps(rig).size());
    }

    @Test
    void changesThatAreHandedOnAreSmallerThanTheStore() throws Exception {
        RebuildRig rig = new RebuildRig(folder).feed("domains", KeyKind.DOMAIN);
        for (int day = 0; day < 10; day++) {
            rebuild(rig, names(400, day));
        }
        List<ChangeStep> steps = steps(rig);
        assertTrue(steps.size() > 1 && steps.size() < SortedStores.MAX_CHANGES, steps::toString);
        long bytes = 0;
        for (ChangeStep step : steps.subList(1, steps.size())) {
            bytes += Files.size(
                    rig.snapshot().resolve(step.fileName(rig.current().orElseThrow())));
        }
        try (Stream<Path> store = Files.list(rig.snapshot().resolve("exact"))) {
            assertTrue(bytes < store.mapToLong(file -> file.toFile().length()).sum());
        }
    }

    private static void rebuild(RebuildRig rig, String... names) throws IOException {
        rig.content("domains", names);
        assertEquals(
                RebuildOutcome.PUBLISHED, rig.run(Set.of(), Rebuild.Mode.FORCE).outcome());
        rig.pass(Duration.ofHours(1));
    }

    private static List<ChangeStep> steps(RebuildRig rig) throws IOException {
        try (Stream<Path> files = Files.list(rig.snapshot())) {
            return ChangeStep.leadingTo(
                    rig.current().orElseThrow(),
                    files.map(file -> file.getFileName().toString()).toList());
        }
    }

    /// Some go and come back, some that were never there come.
    private String[] names(int count, int day) {
        return IntStream.range(0, count)
                .filter(_ -> random.nextInt(100) > 0)
                .mapToObj(number -> "n" + number + ".example")
                .map(name -> random.nextInt(100) == 0 ? "day" + day + name : name)
                .toArray(String[]::new);
    }

    /// What the last generation says of the one before it ends too early.
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
                    assertArrayEquals(now.since(hashes(past)), Files.readAllBytes(delta));
                    checked++;
                }
            }
        }
    }

    private static HashList hashes(Path generation) throws Exception {
        return HashList.read(Files.readAllBytes(generation.resolve("domain.hashes")));
    }
}
