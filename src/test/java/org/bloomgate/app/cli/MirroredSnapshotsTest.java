package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that change snapshots, on a machine whose snapshots are its publisher's.
class MirroredSnapshotsTest {
    private static final String NOTHING = "bloomgate: snapshots come from mirror.url, there is nothing to ";

    @TempDir
    static Path folder;

    private String before = "";

    @BeforeAll
    static void oneSnapshot() {
        Invocation rebuilt = run("rebuild --layer nightly");
        assertEquals(ExitStatus.FINE, rebuilt.status(), rebuilt::err);
    }

    @BeforeEach
    void whatIsCurrent() throws IOException {
        before = current();
    }

    private static String current() throws IOException {
        return Files.readString(folder.resolve("snapshots/nightly/current"));
    }

    private static Invocation run(String line) {
        List<String> all = new ArrayList<>(List.of(line.split(" ")));
        all.addAll(
                1,
                List.of(
                        "--set",
                        "snapshots=" + folder.resolve("snapshots"),
                        "--set",
                        "journal.directory=" + folder.resolve("journal"),
                        "--set",
                        "local.directory=" + folder.resolve("local")));
        return Invocation.of("", all);
    }

    private static Invocation onMirror(String line) {
        return run(line + " --set mirror.url=http://192.0.2.1:9");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rebuild",
                "rebuild --all",
                "rebuild --layer nightly",
                "rebuild --feed sample-domains",
                "rebuild --force",
                "rebuild --dry-run",
                "rebuild --json",
                "rebuild --from-runs none",
                "rebuild --set feeds=none.yaml"
            })
    void aMirrorIsNotRebuilt(String line) throws IOException {
        Invocation refused = onMirror(line);
        assertEquals(NOTHING + "rebuild", refused.err().strip());
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertEquals("", refused.out());
        assertEquals(before, current());
    }

    @Test
    void noFeedsOnAMirrorMakeNoEmptySnapshot() throws IOException {
        Path none = Files.writeString(folder.resolve("none.yaml"), "feeds: []");
        assertEquals(
                ExitStatus.MISTAKE,
                onMirror("rebuild --all --set feeds=" + none).status());
        assertEquals(before, current());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rebuild --due --layer nightly --wait 1h",
                "rebuild --due",
                "rebuild --due --json",
                "rebuild --due --set feeds=none.yaml"
            })
    void onAMirrorNothingIsEverDue(String line) throws IOException {
        Invocation timer = onMirror(line);
        assertEquals(
                "bloomgate: nothing is due: " + NOTHING.substring("bloomgate: ".length()) + "rebuild",
                timer.err().strip());
        assertEquals(ExitStatus.FINE, timer.status());
        assertEquals("", timer.out());
        assertEquals(before, current());
    }

    @Test
    void whatIsNoQuestionIsAMistakeOnAMirrorToo() {
        Invocation refused = onMirror("rebuild --due --all");
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().startsWith("bloomgate: --due cannot be combined"), refused::err);
    }

    @Test
    void aMirrorIsRolledBackByItsPublisher() throws IOException {
        Invocation refused = onMirror("rollback " + before.strip());
        assertEquals(
                NOTHING + "roll back; the publisher's rollback is followed",
                refused.err().strip());
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertEquals("", refused.out());
    }

    @Test
    void whereThereIsNoSnapshotYetTheWayToOneIsNamed() {
        String nowhere = "inspect --set snapshots=" + folder.resolve("nowhere");
        assertTrue(onMirror(nowhere).err().contains("'bloomgate mirror' fetches one"));
        assertTrue(run(nowhere).err().contains("'bloomgate rebuild' makes one"));
    }
}
