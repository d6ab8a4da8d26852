package org.bloomgate.server.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestJson;

/// Starts a requested rebuild or rollback after recording it in the audit log. The answer, 202, does not wait
/// for its end.
final class LayerChangeStart {
    private static final RequestJson<ChangeRequest> CHANGE_REQUEST =
            RequestJson.withOptionalFields(ChangeRequest.class, "{\"layer\": string, \"generation\": string}");

    private final LayerChanges changes;
    private final Path snapshots;
    private final AuditLog auditLog;
    private final InstantSource clock;

    LayerChangeStart(LayerChanges changes, Path snapshots, AuditLog auditLog, InstantSource clock) {
        this.changes = changes;
        this.snapshots = snapshots;
        this.auditLog = auditLog;
        this.clock = clock;
    }

    /// @param generation for a rollback, the default is the one before the current one
    record ChangeRequest(Optional<String> layer, Optional<String> generation) {}

    record Started(LayerChanges.Running running) {}

    Answer answer(Request request, LayerChanges.Operation operation) throws IOException {
        ChangeRequest change = CHANGE_REQUEST.read(request.body());
        changes.obstacle().ifPresent(LayerChangeStart::conflict);
        Cadence cadence = Stream.of(Cadence.values())
                .filter(candidate ->
                        change.layer().filter(candidate.layer()::equals).isPresent())
                .findFirst()
                .orElseThrow(() -> SearchParameters.invalid("layer", "nightly, hourly or minutes"));
        switch (operation) {
            case REBUILD ->
                change.generation().ifPresent(_ -> {
                    throw SearchParameters.invalid("generation", "only for a rollback");
                });
            case ROLLBACK -> requireGeneration(cadence, change.generation());
        }
        changes.running().ifPresent(LayerChangeStart::busy);
        record(request.actor(), operation, cadence, change);
        LayerChanges.Running running = changes.start(
                        operation, cadence, change.generation(), request.actor().who())
                .orElseThrow(() -> new ProblemException(Problem.conflict("another one has just been started")));
        return Answer.json(new Started(running)).as(202);
    }

    private void requireGeneration(Cadence cadence, Optional<String> generation) throws IOException {
        LayerDirectory layer = new LayerDirectory(snapshots, cadence.layer());
        Optional<String> current = layer.readCurrent();
        List<String> generations = layer.listGenerations();
        boolean exists = generation.isPresent()
                ? LayerDirectory.isGenerationId(generation.get())
                        && Files.isDirectory(layer.resolveGeneration(generation.get()))
                : current.isPresent() && generations.indexOf(current.get()) > 0;
        if (!exists) {
            throw SearchParameters.invalid(
                    "generation",
                    generation.isPresent()
                            ? "the layer has no such generation, but " + generations
                            : "the layer has none before the current one");
        }
    }

    /// Records the change before it starts: a change that cannot be recorded is not made.
    private void record(Actor actor, LayerChanges.Operation operation, Cadence cadence, ChangeRequest change)
            throws IOException {
        What what = operation == LayerChanges.Operation.REBUILD ? What.REBUILD : What.ROLLBACK;
        Map<String, String> detail = Map.of("generation", change.generation().orElse(""));
        auditLog.record(List.of(AuditEvent.of(clock.instant(), actor, what, cadence.layer(), detail)));
    }

    private static void busy(LayerChanges.Running running) {
        conflict("a " + running.operation() + " of the layer " + running.layer() + " is running");
    }

    private static void conflict(String detail) {
        throw new ProblemException(Problem.conflict(detail));
    }
}
