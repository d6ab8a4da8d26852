package org.bloomgate.app.gateway.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bloomgate.RecordCopy;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.watch.RebuildWatch;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.api.LayerChanges;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RebuildsTest {
    @TempDir
    private Path folder;

    private final List<Cadence> started = new CopyOnWriteArrayList<>();
    private Instant now = Instant.parse("2026-03-02T02:00:00Z");
    private String script = "exit 0";

    private Rebuilds rebuilds() {
        return new Rebuilds(
                task -> {
                    started.add(task.cadence());
                    return List.of("sh", "-c", script);
                },
                Optional.empty(),
                cadence -> cadence != Cadence.HOURLY,
                history(),
                () -> now);
    }

    @Test
    void layerWithFeeds_isCheckedAsOftenAsItsCadenceSays() throws Exception {
        Rebuilds rebuilds = rebuilds();
        for (int seconds = 0; seconds < 3600; seconds += 20) {
            rebuilds.checkLayers();
            now = now.plusSeconds(20);
        }
        assertEquals(1, started.stream().filter(Cadence.NIGHTLY::equals).count());
        assertEquals(60, started.stream().filter(Cadence.MINUTES::equals).count());
        assertEquals(61, started.size());
    }

    @Test
    void requestedRebuild_runsAloneAndIsShown() throws Exception {
        script = "read line";
        try (Rebuilds rebuilds = rebuilds()) {
            Optional<LayerChanges.Running> running = start(rebuilds);
            assertEquals(Optional.of(new LayerChanges.Running("nightly", "rebuild", now, "ada")), running);
            assertEquals(running, rebuilds.running());
            assertEquals(Optional.empty(), start(rebuilds));
            rebuilds.checkLayers();
            assertFalse(started.contains(Cadence.MINUTES));
        }
    }

    private static Optional<LayerChanges.Running> start(Rebuilds rebuilds) {
        return rebuilds.start(LayerChanges.Operation.REBUILD, Cadence.NIGHTLY, Optional.empty(), "ada");
    }

    @Test
    void commandThatCannotBeStarted_doesNotEndTheSchedule() throws Exception {
        try (Rebuilds rebuilds = new Rebuilds(
                task -> {
                    started.add(task.cadence());
                    return List.of("/no/such/program");
                },
                Optional.empty(),
                _ -> true,
                history(),
                () -> now)) {
            rebuilds.checkLayers();
            assertEquals(List.of(Cadence.values()), started);
            assertEquals(Optional.empty(), rebuilds.running());
            assertEquals(
                    Cadence.values().length, history().find(Optional.empty(), 9).size());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "2, 1", "137, 1", "75, 0", "130, 0", "143, 0"})
    void child_thatEndsWithoutARecord_isRecorded(int status, int records) throws Exception {
        script = "exit " + status;
        rebuilds().checkLayers();
        List<PastRebuild> recorded = history().find(Optional.of("nightly"), 9);
        assertEquals(records, recorded.size());
        assertTrue(recorded.stream().allMatch(last -> last.status() == status), recorded::toString);
    }

    /// A rebuild by another process ends it in the status as well.
    @Test
    void failure_leavesTheStatusWithTheNextRecord() throws Exception {
        script = "exit 3";
        rebuilds().checkLayers();
        Conditions conditions = new Conditions("service", () -> now);
        Configuration configuration = RecordCopy.with(Configuration.defaults(), "feeds", folder.resolve("feeds.yaml"));
        RebuildWatch watch = new RebuildWatch(
                () -> configuration, history(), () -> new LiveStatus(List.of(), List.of(), 0), conditions, () -> now);
        assertEquals(
                List.of("rebuild minutes", "rebuild nightly"),
                conditions.list().stream().map(Condition::subject).toList());
        for (String layer : List.of("nightly", "minutes")) {
            history().add(new PastRebuild(now, layer, "published", 0, "b", "a", "", 1, 0, 0, List.of()));
        }
        watch.round();
        assertEquals(List.of(), conditions.list());
    }

    /// The child writes its record itself; here it is written before, with a later time.
    @Test
    void child_thatRecordsItsFailure_isRecordedOnce() throws Exception {
        history().add(PastRebuild.ofFailure(now.plusSeconds(1), "nightly", 3, "no space left on the disk"));
        script = "exit 3";
        rebuilds().checkLayers();
        assertEquals(1, history().find(Optional.of("nightly"), 9).size());
    }

    @Test
    void failedRollback_isRecordedAsOne() throws Exception {
        script = "exit 2";
        try (Rebuilds rebuilds = rebuilds()) {
            rebuilds.start(LayerChanges.Operation.ROLLBACK, Cadence.NIGHTLY, Optional.empty(), "ada");
            while (rebuilds.running().isPresent()) {
                Thread.onSpinWait();
            }
        }
        assertEquals(
                "rollback-failed",
                history().find(Optional.of("nightly"), 1).getFirst().outcome());
    }

    private RebuildHistory history() {
        return new RebuildHistory(folder);
    }
}
