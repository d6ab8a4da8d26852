package org.bloomgate.app.gateway.watch;

import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.metrics.GatewayMetrics;

/// Reads the outcomes of the rebuilds on this machine, whether a timer, an operator or this gateway started them,
/// and notes the layers whose last rebuild did not succeed. Thread-safe.
public final class RebuildWatch implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(5);

    private final RebuildHistory history;
    private final Conditions conditions;
    private Optional<BackgroundTask> rounds = Optional.empty();

    public RebuildWatch(RebuildHistory history, Conditions conditions) {
        this.history = history;
        this.conditions = conditions;
        round();
    }

    public void start() {
        rounds = Optional.of(BackgroundTask.every(ROUND, "rebuild-history", this::round));
    }

    public void round() {
        history.refresh();
        history.findLast().forEach((layer, rebuild) -> {
            if (rebuild.status() == 0) {
                conditions.clear("rebuild " + layer);
            } else {
                conditions.note("rebuild " + layer, reason(rebuild), rebuild.time());
            }
        });
    }

    /// Anyone may read it, so it does not contain names of feeds or files.
    private static String reason(PastRebuild rebuild) {
        return "the last rebuild ended with status " + rebuild.status() + ", " + rebuild.outcome()
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
                    history.findLast().forEach((layer, rebuild) -> ended.put(Tags.of("layer", layer), rebuild.time()));
                    return ended;
                });
    }

    private Optional<PastRebuild> last(Cadence cadence) {
        return Optional.ofNullable(history.findLast().get(cadence.layer()));
    }

    @Override
    public void close() {
        rounds.ifPresent(BackgroundTask::close);
    }
}
