package org.bloomgate.app.gateway.watch;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.lists.snapshot.Conditions;

/// Checks periodically whether a shared exact tier still has the published generations, so that a server that
/// restarted empty is reported before a suspect needs it. The gateway stays ready, as a failed lookup is
/// unresolved, never clean. Thread-safe.
public final class ExactWatch implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(15);
    private static final String SUBJECT = "exact.redis ";

    private final Supplier<Map<String, String>> losses;
    private final Conditions conditions;
    private Set<String> damagedLayers = Set.of();
    private Optional<BackgroundTask> watch = Optional.empty();

    /// @param losses by layer, queried each round
    public ExactWatch(Supplier<Map<String, String>> losses, Conditions conditions) {
        this.losses = losses;
        this.conditions = conditions;
    }

    public void start() {
        watch = Optional.of(BackgroundTask.every(ROUND, "exact-watch", this::round));
    }

    synchronized void round() {
        Map<String, String> current = Map.copyOf(losses.get());
        current.forEach((layer, loss) -> conditions.note(SUBJECT + layer, loss));
        damagedLayers.stream()
                .filter(layer -> !current.containsKey(layer))
                .forEach(layer -> conditions.clear(SUBJECT + layer));
        damagedLayers = current.keySet();
    }

    @Override
    public void close() {
        watch.ifPresent(BackgroundTask::close);
    }
}
