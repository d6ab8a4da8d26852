package org.bloomgate.lists.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bloomgate.Rounds;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.EndingDisk;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A publisher and its mirror that end at each single step, by kill -9 or a full disk: the old or the new state
/// is complete, and the next start continues as usual.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FleetStepsIT {
    private static final int LINES = 3;

    /// Every step takes a minute or two.
    private static final int MIRROR_APART = Rounds.ALL ? 1 : 6;

    private static final int PUBLISHER_APART = Rounds.ALL ? 1 : 24;

    /// A rebuild and what it says, a copy of a snapshot and of two statements: fewer would be another thing.
    private static final int FEWEST_STEPS = 20;

    @TempDir
    Path folder;

    private Optional<RebuiltDomains> rebuilt = Optional.empty();

    private RebuiltDomains domains() {
        return rebuilt.orElseThrow();
    }

    /// The current state of a root, after all of it was verified.
    ///
    /// @param entries of one statement
    private record RootState(String generation, long counter, String entries, long entriesCounter) {

        static RootState of(Path root) throws IOException {
            LayerDirectory layer = new LayerDirectory(root, "nightly");
            String generation = layer.readCurrent().orElseThrow();
            new SnapshotReader().open(layer.resolveGeneration(generation)).close();
            Statement<SharedEntries> entries = SharedEntries.FORM.read(root).orElseThrow();
            return new RootState(
                    generation,
                    PublishedState.FORM.read(root).orElseThrow().counter(),
                    entries.body(),
                    entries.counter());
        }
    }

    @BeforeEach
    void publishAndMirrorOneState() throws Exception {
        rebuilt = Optional.of(new RebuiltDomains(folder, 300));
        publish(theirs(), 0);
        follow(theirs(), ours());
    }

    private Path theirs() {
        return folder.resolve("theirs");
    }

    private Path ours() {
        return folder.resolve("ours");
    }

    /// The next state, with the number in each of its listings.
    private void publish(Path root, int number) throws IOException {
        domains().change();
        assertEquals(RebuildOutcome.PUBLISHED, domains().rebuild(root));
        FleetKeeper.say(root, number, LINES);
    }

    private static void follow(Path theirs, Path ours) throws Exception {
        try (ScriptedPublisher publisher = FleetKeeper.publisher(theirs)) {
            FleetKeeper.follow(publisher.url(), ours);
        }
    }

    @ParameterizedTest
    @EnumSource
    void mirrorThatEndsAtAnyStep_hasOldOrNewState(EndingDisk.End end) throws Exception {
        publish(theirs(), 1);
        RootState before = RootState.of(ours());
        RootState after = RootState.of(theirs());
        Path undisturbed = copied(ours(), "undisturbed");
        follow(theirs(), undisturbed);
        boolean ended = true;
        int steps = 0;
        for (; ended; steps += MIRROR_APART) {
            Path here = copied(ours(), "ours-" + steps);
            try (EndingDisk disk = EndingDisk.after(steps, end)) {
                ended = ends(() -> follow(theirs(), disk.of(here)), end);
                assertEquals(ended, disk.isOver());
            }
            assertIsBetween(before, RootState.of(here), after);
            follow(theirs(), here);
            assertEquals(after, RootState.of(here));
            assertEquals(files(undisturbed, after.generation()), files(here, after.generation()));
        }
        int all = steps;
        assertTrue(all > FEWEST_STEPS, () -> all + " steps");
    }

    @ParameterizedTest
    @EnumSource
    void publisherThatEndsAtAnyStep_hasOldOrNewState(EndingDisk.End end) throws Exception {
        RootState before = RootState.of(theirs());
        Path undisturbed = copied(theirs(), "undisturbed");
        publish(undisturbed, 1);
        String undisturbedGeneration = RootState.of(undisturbed).generation();
        boolean ended = true;
        int steps = 0;
        for (; ended; steps += PUBLISHER_APART) {
            Path there = copied(theirs(), "theirs-" + steps);
            Path here = copied(ours(), "ours-" + steps);
            int number = steps + 1;
            try (EndingDisk disk = EndingDisk.after(steps, end)) {
                ended = ends(() -> publish(disk.of(there), number), end);
            }
            follow(there, here);
            RootState now = RootState.of(there);
            assertEquals(now, RootState.of(here));
            assertIsNoOlder(before, now);
            publish(there, number + 1000);
            follow(there, here);
            assertEquals(RootState.of(there), RootState.of(here));
            String generation = RootState.of(there).generation();
            assertTrue(generation.compareTo(now.generation()) > 0);
            assertEquals(files(undisturbed, undisturbedGeneration), files(there, generation));
        }
        int all = steps;
        assertTrue(all > FEWEST_STEPS, () -> all + " steps");
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    /// Whether the disk ended it, and it said so.
    private static boolean ends(Work work, EndingDisk.End end) throws Exception {
        try {
            work.run();
            return false;
        } catch (EndingDisk.Killed | IOException | RuntimeException ended) {
            String why = String.valueOf(ended.getMessage());
            assertTrue(end == EndingDisk.End.KILLED || why.contains("No space left on device"), why);
            return true;
        }
    }

    private static void assertIsBetween(RootState before, RootState now, RootState after) {
        assertTrue(Set.of(before.generation(), after.generation()).contains(now.generation()), now::toString);
        assertTrue(Set.of(before.counter(), after.counter()).contains(now.counter()), now::toString);
        assertTrue(Set.of(before.entries(), after.entries()).contains(now.entries()), now::toString);
        boolean isNew = now.generation().equals(after.generation());
        assertTrue(!isNew || now.counter() == after.counter(), "kept before it is fetched");
        assertEquals(now.entries().equals(after.entries()), now.entriesCounter() == after.entriesCounter());
    }

    private static void assertIsNoOlder(RootState before, RootState now) {
        assertTrue(now.generation().compareTo(before.generation()) >= 0, now::toString);
        assertTrue(now.counter() >= before.counter(), now::toString);
        assertTrue(now.entriesCounter() >= before.entriesCounter(), now::toString);
        assertEquals(now.entries().equals(before.entries()), now.entriesCounter() == before.entriesCounter());
    }

    /// The files of a root after a rebuild that was not cut short.
    private static Set<String> files(Path root, String generation) throws IOException {
        return DurableFiles.regularFiles(root).stream()
                .map(file -> root.relativize(file).toString().replace(generation, "current"))
                .filter(name -> !name.matches("nightly/(\\.past/)?2.*"))
                .map(name -> name.replaceAll("[0-9]{8}T[0-9]{6}Z-[0-9a-f]{4}|(?<=@)[0-9]+", "past"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Path copied(Path root, String name) throws IOException {
        Path to = folder.resolve(name);
        for (Path file : DurableFiles.regularFiles(root)) {
            Path target = to.resolve(root.relativize(file).toString());
            Files.createDirectories(target.resolveSibling(""));
            Files.copy(file, target);
        }
        return to;
    }
}
