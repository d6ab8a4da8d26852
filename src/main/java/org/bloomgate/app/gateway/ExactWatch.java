package org.bloomgate.app.gateway;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks periodically whether a shared exact tier still has the published generations, so that a server that
/// restarted empty is reported before a suspect needs it: once in the log, and in status and readiness. The
/// gateway stays ready, as a failed lookup is unresolved, never clean. Thread-safe.
final class ExactWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExactWatch.class);
    private static final Duration ROUND = Duration.ofSeconds(15);
    private static final String KEY = "exact.redis ";

    private final Supplier<Map<String, String>> losses;
    private final InstantSource clock;
    private volatile Map<String, Refusal> told = Map.of();
    private Optional<BackgroundTask> watch = Optional.empty();

    /// @param losses by layer, queried each round
    ExactWatch(Supplier<Map<String, String>> losses, InstantSource clock) {
        this.losses = losses;
        this.clock = clock;
    }

    void start() {
        watch = Optional.of(BackgroundTask.every(ROUND, "exact-watch", this::round));
    }

    void round() {
        Map<String, Refusal> before = told;
        Map<String, Refusal> now = new TreeMap<>();
        losses.get().forEach((layer, why) -> {
            Instant since =
                    Optional.ofNullable(before.get(layer)).map(Refusal::at).orElseGet(clock::instant);
            now.put(layer, new Refusal(KEY + layer, "", why, since));
            if (!before.containsKey(layer)) {
                LOG.error("exact.redis: {}", why);
            }
        });
        before.keySet().stream()
                .filter(layer -> !now.containsKey(layer))
                .forEach(layer -> LOG.info("exact.redis: layer {} is complete in Redis again", layer));
        told = Map.copyOf(now);
    }

    /// The status with what is lost.
    LiveStatus with(LiveStatus status) {
        List<Refusal> lost = new ArrayList<>(new TreeMap<>(told).values());
        return lost.isEmpty() ? status : status.with(lost);
    }

    @Override
    public void close() {
        watch.ifPresent(BackgroundTask::close);
    }
}
