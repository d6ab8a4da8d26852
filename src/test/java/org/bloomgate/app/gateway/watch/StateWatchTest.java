package org.bloomgate.app.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.bloomgate.app.gateway.options.StateFolder;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateWatchTest {
    private static final LiveStatus WELL = new LiveStatus(List.of(), List.of(), 0);
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private Instant now = NOW;
    private final Conditions conditions = new Conditions("service", () -> now);

    @TempDir
    private Path folder;

    @Test
    void neededFolder_makesTheServiceUnreadyUntilItIsWritable() throws Exception {
        Path inTheWay = Files.writeString(folder.resolve("decisions"), "x");
        try (StateWatch watch = watch(new StateFolder("journal.directory", inTheWay, true))) {
            LiveStatus status = WELL.with(conditions);
            assertEquals(List.of("journal.directory: " + inTheWay + " is not a directory"), status.unreadyReasons());
            assertEquals(
                    List.of(Condition.of("folder journal.directory", inTheWay + " is not a directory", NOW)),
                    status.conditions());
            Files.delete(inTheWay);
            watch.round();
            assertEquals(WELL, WELL.with(conditions));
        }
    }

    @Test
    void folderThatMailDoesNotNeed_isOnlyReported() throws Exception {
        Path inTheWay = Files.writeString(folder.resolve("keys"), "x");
        try (StateWatch _ = watch(new StateFolder("journal.keys.directory", inTheWay, false))) {
            assertEquals(List.of(), WELL.with(conditions).unreadyReasons());
            assertEquals(1, WELL.with(conditions).conditions().size());
        }
    }

    @Test
    void otherFolders_areTriedAtOnce() throws Exception {
        Path inTheWay = Files.writeString(folder.resolve("tmp"), "x");
        try (StateWatch watch = watch(new StateFolder("state (tmp)", folder, true))) {
            assertEquals(List.of(), WELL.with(conditions).unreadyReasons());
            watch.use(List.of(new StateFolder("state (tmp)", inTheWay, true)));
            assertEquals(1, WELL.with(conditions).unreadyReasons().size());
        }
    }

    @Test
    void reloadWithTheSameFolders_keepsTheTimeOfTheFault() throws Exception {
        StateFolder faulty = new StateFolder("state (tmp)", Files.writeString(folder.resolve("tmp"), "x"), true);
        try (StateWatch watch = watch(faulty)) {
            now = NOW.plusSeconds(60);
            watch.use(List.of(faulty));
            assertEquals(NOW, WELL.with(conditions).conditions().getFirst().since());
        }
    }

    private StateWatch watch(StateFolder one) {
        return new StateWatch(List.of(one), conditions);
    }
}
