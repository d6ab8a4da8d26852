package org.bloomgate.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.journal.Deliveries;
import org.bloomgate.key.KeyKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a rebuild says of mail that its new listings would have stopped, and the gate on it.
class BlastRadiusTest {
    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));

    @BeforeEach
    void snapshotThatListsOneHost() throws IOException {
        rig = new RebuildRig(folder);
        rig.feed("list", KeyKind.DOMAIN, "old.example");
        rig.run();
    }

    private void delivered(Duration before, int mails, String host) throws IOException {
        Deliveries.record(rig.mail(), rig.now.minus(before), mails, host);
    }

    private RebuildReport listed(String... hosts) throws IOException {
        rig.content("list", hosts);
        return rig.run();
    }

    @Test
    void nothingIsSaidWhenNoMailIsRecorded() throws Exception {
        assertEquals(Optional.empty(), listed("old.example", "new.example").blast());
    }

    @Test
    void mailWithAKeyListedAnewIsCountedByFeed() throws Exception {
        delivered(Duration.ofHours(2), 3, "new.example");
        delivered(Duration.ofHours(2), 4, "clean.example");
        RebuildReport report = listed("old.example", "new.example");
        BlastReport blast = report.blast().orElseThrow();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(7, blast.mails());
        assertEquals(3, blast.listed());
        assertEquals("list", blast.feeds().getFirst().feed());
        assertEquals(
                "new.example", blast.feeds().getFirst().examples().getFirst().key());
    }

    @Test
    void mailOfTheDayBeforeYesterdayIsNotCounted() throws Exception {
        delivered(Duration.ofHours(25), 3, "new.example");
        delivered(Duration.ofHours(1), 1, "clean.example");
        BlastReport blast = listed("old.example", "new.example").blast().orElseThrow();
        assertEquals(new BlastReport(1, 0, List.of(), 0), blast);
    }

    @Test
    void anotherFeedForAListedKeyIsNoNews() throws Exception {
        delivered(Duration.ofHours(1), 3, "old.example");
        rig.feed("second", KeyKind.DOMAIN, "old.example");
        assertEquals(0, rig.run().blast().orElseThrow().listed());
    }

    @Test
    void tooMuchMailClosesTheGate() throws Exception {
        delivered(Duration.ofHours(1), SnapshotGates.FEW_MAILS, "new.example");
        RebuildReport report = listed("old.example", "new.example");
        assertEquals(RebuildOutcome.GATE_CLOSED, report.outcome());
        assertTrue(report.closedGate().orElseThrow().contains("20 of 20 mails"), report.closedGate()::toString);
        assertEquals(Set.of(), rig.listedBy("new.example"));
    }

    @Test
    void fewMailsNeverCloseIt() throws Exception {
        delivered(Duration.ofHours(1), SnapshotGates.FEW_MAILS - 1, "new.example");
        assertEquals(
                RebuildOutcome.PUBLISHED, listed("old.example", "new.example").outcome());
    }

    @Test
    void shareAtItsBoundIsPublished() throws Exception {
        rig.option("maxBlastShare", 0.5);
        delivered(Duration.ofHours(1), 30, "new.example");
        delivered(Duration.ofHours(1), 30, "clean.example");
        assertEquals(
                RebuildOutcome.PUBLISHED, listed("old.example", "new.example").outcome());
    }

    @Test
    void forceOpensItAndTheReportNamesIt() throws Exception {
        delivered(Duration.ofHours(1), SnapshotGates.FEW_MAILS, "new.example");
        rig.content("list", "old.example", "new.example");
        RebuildReport report = rig.run(Set.of(), Rebuild.Mode.FORCE);
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertTrue(report.forced().getFirst().contains("maxBlastShare"), report.forced()::toString);
        assertEquals(Set.of("list"), rig.listedBy("new.example"));
    }
}
