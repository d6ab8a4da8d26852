package org.bloomgate.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.server.api.LayerChanges;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RebuildsTest {
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
                () -> now)) {
            rebuilds.checkLayers();
            assertEquals(List.of(Cadence.values()), started);
            assertEquals(Optional.empty(), rebuilds.running());
            assertEquals(Cadence.values().length, rebuilds.conditions().list().size());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 1", "3, 1"})
    void child_thatEndsWithoutARecord_isACondition(int status, int conditions) throws Exception {
        try (Rebuilds rebuilds = new Rebuilds(
                _ -> List.of("/bin/sh", "-c", "exit " + status),
                Optional.empty(),
                Cadence.NIGHTLY::equals,
                () -> now)) {
            rebuilds.checkLayers();
            assertEquals(conditions, rebuilds.conditions().list().size());
        }
    }
}
