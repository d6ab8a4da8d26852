package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When a rebuild takes its exact store to where gateways share it.
class SharedStoreTest {
    @TempDir
    Path folder;

    private RebuildRig rig;
    private FakeSharedStore shared;

    @BeforeEach
    void feeds() throws IOException {
        rig = new RebuildRig(folder).feed("list", KeyKind.DOMAIN, "a.example", "b.example");
        shared = new FakeSharedStore(rig);
        rig.shared = Optional.of(shared);
    }

    @Test
    void store_isSharedBeforeTheSnapshot_othersRetireAfterwards() throws Exception {
        String generation = rig.run().generation().orElseThrow();
        assertEquals(
                List.of("publish 2 of " + generation + " with none current", "retire all but " + generation),
                shared.calls);
    }

    @Test
    void snapshotStaysUnpublishedWhenTheStoreCannotBeShared() throws Exception {
        String before = rig.run().generation().orElseThrow();
        shared.refusal = "no such server";
        IOException refused = assertThrows(IOException.class, rig::run);
        assertEquals("no such server", refused.getMessage());
        assertEquals(Optional.of(before), rig.current());
        assertEquals(List.of(), rig.leftovers());
    }

    @Test
    void nothingIsSharedWhenAGateCloses() throws Exception {
        rig.option("canaries", List.of("a.example"));
        assertEquals(RebuildOutcome.GATE_CLOSED, rig.run().outcome());
        assertEquals(List.of(), shared.calls);
    }

    @Test
    void nothingIsSharedByADryRun() throws Exception {
        rig.run(Set.of(), Rebuild.Mode.DRY_RUN);
        assertEquals(List.of(), shared.calls);
    }

    @Test
    void oldGenerationThatDoesNotRetireIsAWarning() throws Exception {
        shared.retirement = "server gone";
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertTrue(report.warnings().getFirst().contains("not retired: server gone"), report.warnings()::toString);
    }
}
