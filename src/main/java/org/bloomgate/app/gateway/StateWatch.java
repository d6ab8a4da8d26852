package org.bloomgate.app.gateway;

import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.Refusal;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes to the state folders of a service from time to time, so that a full or read-only disk shows before
/// mail has to be deferred. Faults are logged once, are part of the status, and make the service not ready if
/// it needs the folder. Thread-safe.
final class StateWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateWatch.class);
    private static final Duration ROUND = Duration.ofSeconds(15);

    private final InstantSource clock;
    private volatile List<StateFolder> folders;
    private final Map<String, Refusal> off = new ConcurrentHashMap<>();
    private volatile Map<String, Fault> faults = Map.of();
    private volatile Optional<BackgroundTask> watch = Optional.empty();

    private record Fault(StateFolder folder, String why, Instant since) {
        Refusal told() {
            return new Refusal("folder " + folder.key(), "", why, since);
        }
    }

    /// Tries each folder once.
    StateWatch(List<StateFolder> folders, InstantSource clock) {
        this.folders = folders;
        this.clock = clock;
        round();
    }

    /// Notes that a function is off until the next start.
    void off(String key, String why) {
        LOG.error("{} is off: {}", key, why);
        off.put(key, new Refusal(key, "", "off: " + why, clock.instant()));
    }

    void start() {
        watch = Optional.of(BackgroundTask.every(ROUND, "state-folders", this::round));
    }

    /// Other folders from now on.
    void use(List<StateFolder> other) {
        folders = other;
        round();
    }

    synchronized void round() {
        Map<String, Fault> before = faults;
        Map<String, Fault> now = new TreeMap<>();
        for (StateFolder folder : folders) {
            Optional<Fault> stood = Optional.ofNullable(before.get(folder.key()));
            Optional<String> why = folder.fault();
            why.ifPresent(text -> now.put(
                    folder.key(),
                    new Fault(folder, text, stood.map(Fault::since).orElseGet(clock::instant))));
            if (why.isPresent() && stood.isEmpty()) {
                LOG.error(
                        "{}: {}{}",
                        folder.key(),
                        why.get(),
                        folder.needed() ? "; not ready until it can be again" : "");
            } else if (why.isEmpty() && stood.isPresent()) {
                LOG.info("{}: {} can be written to again", folder.key(), folder.path());
            }
        }
        faults = Map.copyOf(now);
    }

    /// The status with the folders at fault.
    LiveStatus with(LiveStatus status) {
        List<Refusal> refusals = new ArrayList<>(status.refusals());
        refusals.addAll(new TreeMap<>(off).values());
        List<String> unready = new ArrayList<>(status.unready());
        new TreeMap<>(faults).forEach((key, fault) -> {
            refusals.add(fault.told());
            if (fault.folder().needed()) {
                unready.add(key + ": " + fault.why());
            }
        });
        return new LiveStatus(status.layers(), refusals, status.refusedTotal(), status.following(), unready);
    }

    void show(GatewayMetrics metrics) {
        for (StateFolder folder : folders) {
            metrics.gauge(
                    "folder.faults",
                    "1 while the folder that the key names cannot be written to",
                    Tags.of("key", folder.key()),
                    () -> faults.containsKey(folder.key()) ? 1 : 0);
        }
    }

    @Override
    public void close() {
        watch.ifPresent(BackgroundTask::close);
    }
}
