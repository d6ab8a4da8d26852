package org.bloomgate.app.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.app.cli.common.History;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RebuildWatchTest {
    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final String OLD = "20260303T020000Z-0001";
    private static final String NEW = "20260304T110000Z-0002";

    private static final Set<String> PUBLISHED = Set.of(
            RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS.label(), RebuildOutcome.UNCHANGED_WITH_FAILED_FEEDS.label());

    @TempDir
    private Path folder;

    private final Conditions conditions = new Conditions("service", () -> NOON);
    private Optional<RebuildWatch> watch = Optional.empty();
    private LiveStatus inForce = new LiveStatus(List.of(), List.of(), 0);

    private RebuildHistory history() {
        return new RebuildHistory(folder);
    }

    private void adopt(String generation) {
        LayerStatus layer = new LayerStatus("nightly", generation, NOON, NOON, Optional.empty(), 1, 1, List.of());
        inForce = new LiveStatus(List.of(layer), List.of(), 0);
    }

    private List<String> texts() {
        RebuildWatch current = watch.orElseGet(() -> {
            Configuration configuration =
                    RecordCopy.with(Configuration.defaults(), "feeds", folder.resolve("feeds.yaml"));
            return new RebuildWatch(() -> configuration, history(), () -> inForce, conditions, () -> NOON);
        });
        watch = Optional.of(current);
        current.round();
        return conditions.list().stream()
                .map(condition -> condition.describe(inForce.layers()))
                .toList();
    }

    static Stream<String> faults() {
        return Stream.concat(
                Stream.of(PastRebuild.FAILED),
                Stream.of(RebuildOutcome.values())
                        .filter(outcome -> outcome.exitStatus() != 0 && !outcome.isDryRun())
                        .map(RebuildOutcome::label));
    }

    /// What is in force is what the gateway has adopted, whatever the rebuild says.
    @ParameterizedTest
    @MethodSource("faults")
    void rebuildWithAFault_saysWhatIsInForce(String outcome) throws IOException {
        boolean isPublished = PUBLISHED.contains(outcome);
        history().add(new PastRebuild(NOON, "nightly", outcome, 1, NEW, OLD, "", 1, 0, 0, List.of()));
        assertTrue(texts().getFirst().endsWith(" (no snapshot of nightly is in force)"), texts()::toString);
        adopt(OLD);
        assertTrue(
                texts().getFirst()
                        .endsWith((isPublished ? " (not adopted; nightly/" : " (nightly/") + OLD
                                + " stays in force since 2026-03-04T12:00:00Z)"),
                texts()::toString);
        adopt(NEW);
        assertTrue(
                texts().getFirst()
                        .endsWith(" (nightly/" + NEW + (isPublished ? " is" : " stays")
                                + " in force since 2026-03-04T12:00:00Z)"),
                texts()::toString);
        assertEquals(isPublished, texts().getFirst().startsWith("rebuild nightly/" + NEW));
    }

    @Test
    void failedRollback_staysUntilTheGenerationChanges() throws IOException {
        History cli = new History(history(), new PrintWriter(new StringWriter(), true));
        history().add(PastRebuild.ofFailedRollback(NOON, "nightly", 2, "no generation before"));
        adopt(OLD);
        cli.add(RebuildReport.notDue("nightly", Optional.of(OLD), NOON));
        assertEquals(
                List.of("rollback nightly: the last rollback ended with status 2, rollback-failed: 'bloomgate history'"
                        + " says why (nightly/" + OLD + " stays in force since 2026-03-04T12:00:00Z)"),
                texts());
        history().add(new PastRebuild(NOON, "nightly", "unchanged", 0, OLD, "", "", 1, 0, 0, List.of()));
        assertEquals(1, texts().size());
        history().add(new PastRebuild(NOON, "nightly", "published", 0, NEW, OLD, "", 1, 0, 0, List.of()));
        assertEquals(List.of(), texts());
        history().add(PastRebuild.ofFailedRollback(NOON, "nightly", 2, "no generation before"));
        assertEquals(1, texts().size());
        history().add(PastRebuild.ofRollback(NOON, "nightly", OLD, NEW));
        assertEquals(List.of(), texts());
    }

    @Test
    void failedRebuild_endsWhenTheLayerIsNotDue() throws IOException {
        History cli = new History(history(), new PrintWriter(new StringWriter(), true));
        history().add(PastRebuild.ofFailure(NOON, "nightly", 3, "no space left"));
        history().add(PastRebuild.ofFailedRollback(NOON, "nightly", 2, "no generation before"));
        assertEquals(
                List.of("rebuild nightly", "rollback nightly"),
                texts().stream()
                        .map(text -> text.substring(0, text.indexOf(':')))
                        .toList());
        cli.add(RebuildReport.notDue("nightly", Optional.of(OLD), NOON));
        assertFalse(texts().getFirst().startsWith("rebuild"), texts()::toString);
        assertEquals(1, texts().size());
    }

    @Test
    void conditionOfAnotherPart_namesNoSnapshot() {
        adopt(OLD);
        assertEquals(
                "folder state (tmp): full",
                Condition.of("folder state (tmp)", "full", NOON).describe(inForce.layers()));
    }
}
