package org.bloomgate.lists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RebuildHistoryTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

    @TempDir
    private Path snapshots;

    private static PastRebuild failed(String layer, int second) {
        return PastRebuild.ofFailure(NOON.plusSeconds(second), layer, 3, "no such file");
    }

    @Test
    void otherProcessesRecords_areSeen_rollbackHidesNoFailure() throws IOException {
        RebuildHistory seen = new RebuildHistory(snapshots);
        seen.refresh();
        assertEquals(Map.of(), seen.findLastRebuilds());
        RebuildHistory written = new RebuildHistory(snapshots);
        written.add(failed("nightly", 1));
        written.add(failed("hourly", 2));
        written.add(PastRebuild.ofRollback(NOON.plusSeconds(3), "nightly", "G1", "G2"));
        assertEquals(Map.of(), seen.findLastRebuilds());
        seen.refresh();
        assertEquals(Map.of("nightly", failed("nightly", 1), "hourly", failed("hourly", 2)), seen.findLastRebuilds());
        assertEquals(
                List.of("G1", ""),
                seen.find(Optional.of("nightly"), 9).stream()
                        .map(PastRebuild::generation)
                        .toList());
        assertEquals(1, seen.find(Optional.empty(), 1).size());
    }

    @Test
    void incompleteLine_hidesNothing() throws IOException {
        RebuildHistory history = new RebuildHistory(snapshots);
        history.add(failed("nightly", 1));
        Files.writeString(snapshots.resolve("rebuilds.jsonl"), "{\"time\":", StandardOpenOption.APPEND);
        assertEquals(1, history.find(Optional.empty(), 9).size());
        history.add(failed("nightly", 2));
        history.refresh();
        assertEquals(Map.of("nightly", failed("nightly", 2)), history.findLastRebuilds());
        assertEquals(2, history.find(Optional.empty(), 9).size());
    }

    @Test
    void feedsAndReasons_areBounded() {
        List<PastRebuild.FeedSummary> many = IntStream.range(0, PastRebuild.MAX_FEEDS + 1)
                .mapToObj(i -> new PastRebuild.FeedSummary("f" + i, 1, 0, "x".repeat(PastRebuild.MAX_REASON_CHARS + 1)))
                .toList();
        PastRebuild one = new PastRebuild(NOON, "nightly", "published", 0, "", "", "", 1, 1, 0, many);
        assertEquals(PastRebuild.MAX_FEEDS, one.feeds().size());
        assertEquals(
                PastRebuild.MAX_REASON_CHARS + 2,
                one.feeds().getFirst().failure().length());
    }
}
