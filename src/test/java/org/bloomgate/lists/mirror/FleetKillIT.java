package org.bloomgate.lists.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.KilledProcess;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A publisher and its mirror after kill -9, and when files cannot grow as on a full disk: neither has anything older
/// than it had, nor a mixture.
@Timeout(120)
class FleetKillIT {
    private static final int KILLS = 2;

    /// Of one file, in KiB: more than the JVM and a snapshot of one domain need.
    private static final int FILE_KIB = 64;

    @TempDir
    private Path folder;

    private Path theirs() {
        return folder.resolve("theirs");
    }

    private Path ours() {
        return folder.resolve("ours");
    }

    @Test
    void killedMirror_hasOldOrNewState() throws Exception {
        int next = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            int printed = runUntilKilled(next, next + 2 + kill);
            for (Path root : List.of(theirs(), ours())) {
                assertIsOneOf(printed, inForce(root));
                assertIsOneOf(printed, listed(root, 3));
            }
            assertTrue(inForce(ours()) <= inForce(theirs()));
            assertTrue(listed(ours(), 3) <= listed(theirs(), 3));
            assertTreeIsWhole();
            next = inForce(theirs()) + 1;
        }
    }

    private void assertTreeIsWhole() throws IOException {
        Path tree = folder.resolve("www/v1/snapshots");
        for (PublishedState.CurrentGeneration named :
                PublishedState.FORM.read(tree).orElseThrow().content().layers()) {
            Path generation = tree.resolve(named.generation());
            SnapshotManifest manifest = new SnapshotReader().verify(generation);
            assertTrue(named.matches(Files.readAllBytes(generation.resolve(SnapshotManifest.FILE_NAME))));
            assertEquals(named.layer(), manifest.layer());
        }
    }

    private static void assertIsOneOf(int printed, int found) {
        assertTrue(found == printed || found == printed + 1, () -> found + " after " + printed);
    }

    /// The number of the snapshot that is current, all of which is verified.
    private static int inForce(Path root) throws IOException {
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        Path snapshot = layer.resolveGeneration(layer.readCurrent().orElseThrow());
        String _ = new SnapshotReader().verify(snapshot).generation();
        return number(Files.readString(snapshot.resolve("exact/000001.sst")));
    }

    /// The number of the listings, every line of which is of the same.
    private static int listed(Path root, int lines) throws IOException {
        String entries = SharedEntries.FORM.read(root).orElseThrow().body();
        int number = number(entries.substring(entries.indexOf("l0.") + 3));
        assertEquals(FleetKeeper.state(number, lines), entries);
        return number;
    }

    private static int number(String domain) {
        return Integer.parseInt(domain.substring(1, domain.indexOf('.')));
    }

    private Process startKeeper(String shell, int first, int lines) throws IOException {
        return new ProcessBuilder(
                        "bash",
                        "-c",
                        shell + " exec \"$@\"",
                        "bash",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FleetKeeper.class.getName(),
                        folder.toString(),
                        Integer.toString(first),
                        Integer.toString(lines))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /// Kills the process after some steps, and returns the last number it printed.
    private int runUntilKilled(int first, int last) throws IOException, InterruptedException {
        Process process = startKeeper("", first, 3);
        int printed = KilledProcess.said(process, last);
        assertTrue(printed >= last, "ended by itself");
        return printed;
    }

    @Test
    void fullDisk_keepsOldStateAndCatchesUpLater() throws Exception {
        int few = 3;
        int many = FILE_KIB * 1024 / 100;
        FleetKeeper.publish(theirs(), 0, few);
        try (ScriptedPublisher publisher = FleetKeeper.publisher(theirs())) {
            FleetKeeper.follow(publisher.url(), ours());
        }
        Process full = startKeeper("ulimit -f " + FILE_KIB + ";", 1, many);
        assertEquals(-1, KilledProcess.said(full, Integer.MAX_VALUE), "it could write all the same");
        assertEquals(1, full.exitValue());
        assertEquals(0, listed(theirs(), few));
        assertEquals(0, inForce(ours()));
        FleetKeeper.publish(theirs(), 2, many);
        assertTrue(Files.size(theirs().resolve(SharedEntries.FILE_NAME)) > FILE_KIB * 1024);
        Process mirror = startKeeper("ulimit -f " + FILE_KIB + ";", -1, 0);
        assertEquals(-1, KilledProcess.said(mirror, Integer.MAX_VALUE));
        assertEquals(0, listed(ours(), few), "the snapshot came, the listings did not");
        assertEquals(2, inForce(ours()));
        try (ScriptedPublisher publisher = FleetKeeper.publisher(theirs())) {
            FleetKeeper.follow(publisher.url(), ours());
        }
        assertEquals(2, listed(ours(), many));
    }
}
