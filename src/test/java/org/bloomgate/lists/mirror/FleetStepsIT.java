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
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.EndingDisk;
import org.bloomgate.lists.build.RebuildOutcome;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A publisher and its mirror that end at each single step of theirs, by kill -9 and by a full disk: in force is what
/// was or what came next, all of it, and the next start goes on as if nothing had been.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FleetStepsIT {
    private static final int LINES = 3;

    /// Every step takes a minute or two.
    private static final boolean EACH = Boolean.getBoolean("bloomgate.steps.each");

    private static final int MIRROR_APART = EACH ? 1 : 6;
    private static final int PUBLISHER_APART = EACH ? 1 : 24;

    /// A rebuild and what it says, a copy of a snapshot and of two statements: fewer would be another thing.
    private static final int FEWEST_STEPS = 20;

    @TempDir
    Path folder;

    private Optional<RebuiltDomains> rebuilt = Optional.empty();

    private RebuiltDomains domains() {
        return rebuilt.orElseThrow();
    }

    /// All that a root says is in force.
    ///
    /// @param generation every file of which verifies
    /// @param entries every line of which is of one statement
    private record ListingSource(String generation, long counter, String entries, long entriesCounter) {

        static ListingSource of(Path root) throws IOException {
            LayerDirectory layer = new LayerDirectory(root, "nightly");
            String generation = layer.current().orElseThrow();
            new SnapshotReader().open(layer.generation(generation)).close();
            SharedEntries entries =
                    new SnapshotReader().sharedBefore(SharedEntries.bytes(root).orElseThrow());
            return new ListingSource(
                    generation,
                    PublishedState.of(PublishedState.bytes(root).orElseThrow()).counter(),
                    entries.entries(),
                    entries.counter());
        }
    }

    @BeforeEach
    void oneStateIsPublishedAndMirrored() throws Exception {
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
    void aMirrorThatEndsAtAnyStepHasWhatItHadOrWhatCame(EndingDisk.End end) throws Exception {
        publish(theirs(), 1);
        ListingSource before = ListingSource.of(ours());
        ListingSource after = ListingSource.of(theirs());
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
            assertIsBetween(before, ListingSource.of(here), after);
            follow(theirs(), here);
            assertEquals(after, ListingSource.of(here));
            assertEquals(files(undisturbed, after.generation()), files(here, after.generation()));
        }
        int all = steps;
        assertTrue(all > FEWEST_STEPS, () -> all + " steps");
    }

    @ParameterizedTest
    @EnumSource
    void aPublisherThatEndsAtAnyStepSaysWhatItSaidOrWhatComes(EndingDisk.End end) throws Exception {
        ListingSource before = ListingSource.of(theirs());
        Path undisturbed = copied(theirs(), "undisturbed");
        publish(undisturbed, 1);
        String undisturbedGeneration = ListingSource.of(undisturbed).generation();
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
            ListingSource now = ListingSource.of(there);
            assertEquals(now, ListingSource.of(here));
            assertIsNoOlder(before, now);
            publish(there, number + 1000);
            follow(there, here);
            assertEquals(ListingSource.of(there), ListingSource.of(here));
            String generation = ListingSource.of(there).generation();
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

    private static void assertIsBetween(ListingSource before, ListingSource now, ListingSource after) {
        assertTrue(Set.of(before.generation(), after.generation()).contains(now.generation()), now::toString);
        assertTrue(Set.of(before.counter(), after.counter()).contains(now.counter()), now::toString);
        assertTrue(Set.of(before.entries(), after.entries()).contains(now.entries()), now::toString);
        boolean isNew = now.generation().equals(after.generation());
        assertTrue(!isNew || now.counter() == after.counter(), "kept before it is fetched");
        assertEquals(now.entries().equals(after.entries()), now.entriesCounter() == after.entriesCounter());
    }

    private static void assertIsNoOlder(ListingSource before, ListingSource now) {
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
