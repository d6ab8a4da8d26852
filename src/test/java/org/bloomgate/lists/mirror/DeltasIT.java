package org.bloomgate.lists.mirror;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.SnapshotKeys;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Filters that a mirror builds itself from the changes of their hashes.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeltasIT {
    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom(20);
    private Optional<RebuiltDomains> rebuilt = Optional.empty();
    private Optional<ScriptedPublisher> scripted = Optional.empty();
    private Optional<Mirror> mirror = Optional.empty();

    @BeforeEach
    void open() throws IOException {
        scripted = Optional.of(new ScriptedPublisher(theirs()));
        publisher()
                .publishWith(new PublishedStateWriter(
                        theirs(), Optional.empty(), Duration.ofDays(300), () -> RebuiltDomains.BEGIN));
        MirrorOptions options = new MirrorOptions(
                publisher().url(),
                Duration.ofHours(1),
                Optional.empty(),
                Duration.ofSeconds(20),
                1 << 26,
                MirrorOptions.OnExpired.ALARM,
                false,
                "");
        SnapshotReader reader = new SnapshotReader(SnapshotScope.WHOLE, SnapshotKeys.none());
        mirror = Optional.of(new Mirror(options, folder.resolve("ours"), reader, 3, () -> RebuiltDomains.BEGIN));
        rebuilt = Optional.of(new RebuiltDomains(folder, 2000));
    }

    @AfterEach
    void close() throws IOException {
        mirror().close();
        publisher().close();
    }

    private Path theirs() {
        return folder.resolve("theirs");
    }

    private ScriptedPublisher publisher() {
        return scripted.orElseThrow();
    }

    private Mirror mirror() {
        return mirror.orElseThrow();
    }

    private RebuiltDomains domains() {
        return rebuilt.orElseThrow();
    }

    @Test
    void filters_equalThePublishers_unchangedFilesAreNotSent() throws Exception {
        rebuild();
        assertFollowed();
        List<String> paths = publisher().takePaths();
        assertTrue(paths.stream().anyMatch(path -> path.endsWith("/domain.hashes")), paths::toString);
        assertFalse(paths.stream().anyMatch(path -> path.endsWith(".bloom")), paths::toString);
        for (int round = 0; round < 12; round++) {
            int builds = random.nextInt(1, 3);
            for (int build = 0; build < builds; build++) {
                domains().change();
                rebuild();
            }
            assertFollowed();
            assertNoHashesAndNoFilter(publisher().takePaths());
        }
    }

    private static void assertNoHashesAndNoFilter(List<String> paths) {
        for (String path : paths) {
            String name = path.substring(path.indexOf('/') + 1);
            assertTrue(
                    Set.of("announced", "manifest.json", "manifest.json.sig", "confirmed")
                                    .contains(name)
                            || name.endsWith(".pages")
                            || name.endsWith(".delta"),
                    paths::toString);
        }
    }

    @Test
    void otherSeedOrLongAbsence_fetchesAllHashesOnce() throws Exception {
        rebuild();
        assertFollowed();
        domains().seeds = new SeedSource.Given(2);
        rebuild();
        assertFollowed();
        for (int away : List.of(6, 8)) {
            for (int build = 0; build < away; build++) {
                domains().change();
                rebuild();
            }
            publisher().takePaths();
            assertFollowed();
            List<String> paths = publisher().takePaths();
            assertEquals(away > 7, paths.stream().anyMatch(path -> path.endsWith("/domain.hashes")), paths::toString);
        }
        Path past = folder.resolve("theirs/nightly/.past");
        try (Stream<Path> kept = Files.list(past)) {
            assertEquals(7, kept.count());
        }
    }

    @Test
    void wrongDelta_damagedOrMissingHashes_giveNoOtherFilter() throws Exception {
        rebuild();
        assertFollowed();
        String before = mirrored();
        domains().change();
        rebuild();
        publisher().reply(".delta", (request, out) -> {
            byte[] bytes = publisher().bytes(request.path());
            bytes[bytes.length / 2] ^= 1;
            ScriptedPublisher.write(out, "200 OK", "", bytes);
        });
        assertFalse(mirror().runRound());
        assertEquals(before, mirrored());
        assertTrue(mirror().readStatus().faults().toString().contains("SHA-256 is not what the manifest says"));
        publisher().clearReplies();
        assertFollowed();
        Path hashes = current(folder.resolve("ours")).resolve("domain.hashes");
        byte[] bytes = Files.readAllBytes(hashes);
        bytes[bytes.length / 2] ^= 1;
        Files.write(hashes, bytes);
        domains().change();
        rebuild();
        assertFollowed();
        Files.delete(current(folder.resolve("ours")).resolve("domain.hashes"));
        domains().change();
        rebuild();
        assertFollowed();
    }

    private void rebuild() throws IOException {
        assertEquals(RebuildOutcome.PUBLISHED, domains().rebuild(theirs()));
    }

    private String mirrored() throws IOException {
        return new LayerDirectory(folder.resolve("ours"), "nightly")
                .readCurrent()
                .orElseThrow();
    }

    private void assertFollowed() throws Exception {
        assertTrue(mirror().runRound(), () -> mirror().readStatus().toString());
        Path theirs = current(theirs());
        Path ours = current(folder.resolve("ours"));
        assertEquals(theirs.getFileName(), ours.getFileName());
        for (String name : List.of("domain.bloom", "domain.hashes", "public_suffix_list.dat")) {
            assertArrayEquals(Files.readAllBytes(theirs.resolve(name)), Files.readAllBytes(ours.resolve(name)), name);
        }
    }

    private static Path current(Path root) throws IOException {
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        return layer.resolveGeneration(layer.readCurrent().orElseThrow());
    }
}
