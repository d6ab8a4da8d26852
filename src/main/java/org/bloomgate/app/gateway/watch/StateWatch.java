package org.bloomgate.app.gateway.watch;

import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bloomgate.app.gateway.options.StateFolder;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.server.metrics.GatewayMetrics;

/// Writes to the state folders of a service every 15 seconds, so that a full or read-only disk is noticed before
/// mail has to be deferred. The service is not ready while a folder that it needs is not writable. Thread-safe.
public final class StateWatch implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(15);

    private final Conditions conditions;
    private volatile List<StateFolder> folders;
    private volatile Optional<BackgroundTask> watch = Optional.empty();

    /// Tries each folder once.
    public StateWatch(List<StateFolder> folders, Conditions conditions) {
        this.folders = folders;
        this.conditions = conditions;
        round();
    }

    public void start() {
        watch = Optional.of(BackgroundTask.every(ROUND, "state-folders", this::round));
    }

    /// Watches other folders from now on.
    public synchronized void use(List<StateFolder> other) {
        List<String> remaining = other.stream().map(StateWatch::subject).toList();
        folders.stream()
                .map(StateWatch::subject)
                .filter(subject -> !remaining.contains(subject))
                .forEach(conditions::forget);
        folders = other;
        round();
    }

    synchronized void round() {
        for (StateFolder folder : folders) {
            Optional<String> fault = folder.fault();
            if (fault.isEmpty()) {
                conditions.clear(subject(folder));
            } else if (folder.needed()) {
                conditions.noteUnready(subject(folder), folder.key(), fault.get());
            } else {
                conditions.note(subject(folder), fault.get());
            }
        }
    }

    private static String subject(StateFolder folder) {
        return "folder " + folder.key();
    }

    public void show(GatewayMetrics metrics) {
        for (StateFolder folder : folders) {
            metrics.registerGauge(
                    "folder.faults",
                    "1 while the folder of the key is not writable",
                    Tags.of("key", folder.key()),
                    () -> conditions.has(subject(folder)) ? 1 : 0);
        }
    }

    @Override
    public void close() {
        watch.ifPresent(BackgroundTask::close);
    }
}
