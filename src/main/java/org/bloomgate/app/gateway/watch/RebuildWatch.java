package org.bloomgate.app.gateway.watch;

import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.metrics.GatewayMetrics;

/// Reads the outcomes of the rebuilds on this machine, whether a timer, an operator or this gateway started them,
/// and notes the layers whose last rebuild or rollback did not succeed. Thread-safe.
public final class RebuildWatch implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(5);

    /// The outcomes after which nothing of the rebuild is in force.
    private static final Set<String> UNPUBLISHED = Set.of(PastRebuild.FAILED, RebuildOutcome.GATE_CLOSED.label());

    private final RebuildHistory history;
    private final Supplier<LiveStatus> snapshots;
    private final Conditions conditions;
    private Optional<BackgroundTask> rounds = Optional.empty();

    /// @param snapshots the layers in force
    public RebuildWatch(RebuildHistory history, Supplier<LiveStatus> snapshots, Conditions conditions) {
        this.history = history;
        this.snapshots = snapshots;
        this.conditions = conditions;
        round();
    }

    public void start() {
        rounds = Optional.of(BackgroundTask.every(ROUND, "rebuild-history", this::round));
    }

    public void round() {
        history.refresh();
        history.findLastRebuilds().forEach((layer, rebuild) -> note("rebuild", rebuild, rebuild.status() != 0));
        Map<String, PastRebuild> rollbacks = history.findLastRollbacks();
        history.findLastRebuilds().keySet().stream()
                .filter(layer -> !rollbacks.containsKey(layer))
                .forEach(layer -> conditions.clear("rollback " + layer));
        rollbacks.forEach((layer, last) -> note("rollback", last, last.status() != 0));
    }

    private void note(String work, PastRebuild last, boolean isFault) {
        String subject = work + " " + last.layer();
        if (isFault) {
            String generation = UNPUBLISHED.contains(last.outcome()) ? "" : last.generation();
            Condition condition =
                    new Condition(subject, last.layer(), generation, describeFault(work, last), last.time());
            conditions.note(condition, condition.describeEffect(snapshots.get().layers()));
        } else {
            conditions.clear(subject);
        }
    }

    /// Anyone may read it, so it does not contain names of feeds or files.
    private static String describeFault(String work, PastRebuild last) {
        return "the last " + work + " ended with status " + last.status() + ", " + last.outcome()
                + ": 'bloomgate history' says why";
    }

    public void show(GatewayMetrics metrics) {
        for (Cadence cadence : Cadence.values()) {
            Tags layer = Tags.of("layer", cadence.layer());
            metrics.gauge(
                    "rebuild.last.status",
                    "Exit status of the last rebuild of the layer; -1 when none is known",
                    layer,
                    () -> last(cadence).map(PastRebuild::status).orElse(-1));
        }
        metrics.ages(
                "rebuild.last.age.seconds",
                "Since the last rebuild of the layer ended; absent when none is known",
                () -> {
                    Map<Tags, Instant> ended = new HashMap<>();
                    history.findLastRebuilds()
                            .forEach((layer, rebuild) -> ended.put(Tags.of("layer", layer), rebuild.time()));
                    return ended;
                });
    }

    private Optional<PastRebuild> last(Cadence cadence) {
        return Optional.ofNullable(history.findLastRebuilds().get(cadence.layer()));
    }

    @Override
    public void close() {
        rounds.ifPresent(BackgroundTask::close);
    }
}
