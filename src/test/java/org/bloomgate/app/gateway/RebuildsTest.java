package org.bloomgate.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.Refusal;
import org.bloomgate.server.api.LayerChanges;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RebuildsTest {
    private static final LiveStatus WELL = new LiveStatus(List.of(), List.of(), 0);

    private final List<Cadence> queried = new CopyOnWriteArrayList<>();
    private Instant now = Instant.parse("2026-03-02T02:00:00Z");
    private String script = "exit 0";

    private Rebuilds rebuilds() {
        return new Rebuilds(
                task -> {
                    queried.add(task.cadence());
                    return List.of("sh", "-c", script);
                },
                Optional.empty(),
                cadence -> cadence != Cadence.HOURLY,
                () -> now);
    }

    private static List<String> faults(Rebuilds rebuilds) {
        return rebuilds.with(WELL).refusals().stream().map(Refusal::reason).toList();
    }

    @Test
    void layersThatHaveFeedsAreLookedAtAsOftenAsTheirCadenceWants() throws Exception {
        Rebuilds rebuilds = rebuilds();
        for (int seconds = 0; seconds < 3600; seconds += 20) {
            rebuilds.look();
            now = now.plusSeconds(20);
        }
        assertEquals(1, queried.stream().filter(Cadence.NIGHTLY::equals).count());
        assertEquals(60, queried.stream().filter(Cadence.MINUTES::equals).count());
        assertEquals(61, queried.size());
    }

    @Test
    void runThatDidNotEndWellStandsUntilTheNextOneDoes() throws Exception {
        Rebuilds rebuilds = rebuilds();
        script = "echo 'gate closed' >&2; exit 1";
        rebuilds.look();
        assertEquals(2, faults(rebuilds).size());
        assertEquals(
                "rebuild: a gate closed or a feed failed, the log says which",
                faults(rebuilds).getFirst());
        script = "exit 0";
        now = now.plus(Duration.ofHours(1));
        rebuilds.look();
        assertEquals(List.of(), faults(rebuilds));
    }

    @Test
    void requestedRebuild_runsAloneAndIsShown() throws Exception {
        script = "read line";
        try (Rebuilds rebuilds = rebuilds()) {
            Optional<LayerChanges.Running> running = start(rebuilds);
            assertEquals(Optional.of(new LayerChanges.Running("nightly", "rebuild", now, "ada")), running);
            assertEquals(running, rebuilds.running());
            assertEquals(Optional.empty(), start(rebuilds));
            rebuilds.look();
            assertFalse(queried.contains(Cadence.MINUTES));
        }
    }

    private static Optional<LayerChanges.Running> start(Rebuilds rebuilds) {
        return rebuilds.start(LayerChanges.Operation.REBUILD, Cadence.NIGHTLY, Optional.empty(), "ada");
    }

    @Test
    void commandThatCannotBeStartedIsAFaultAndNotTheEnd() throws Exception {
        Rebuilds rebuilds = new Rebuilds(_ -> List.of("/no/such/program"), Optional.empty(), _ -> true, () -> now);
        rebuilds.look();
        assertEquals(3, faults(rebuilds).size());
    }
}
