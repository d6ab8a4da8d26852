package org.bloomgate.app.gateway.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.api.LayerChanges;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rebuilds and rollbacks that a gateway starts, when they are due or an operator requests them. Each runs
/// in a child process, so that a feed cannot exhaust the memory of the gateway and mail has the processor
/// first. One runs at a time, on a thread of its own after [#start()]. The child skips a layer that is not due.
///
/// The stdin of the child is a pipe from this process, so that the child ends when this process ends for any
/// reason. The next child removes its temporary files. Each child records its outcome in the rebuild history,
/// which `RebuildWatch` follows; this process records the end of a child that did not.
public final class Rebuilds implements LayerChanges, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rebuilds.class);

    /// Time between checks of a layer, well below its cadence, so that failed feeds and changed files are not
    /// left long.
    private static final Map<Cadence, Duration> CHECK_INTERVALS = Map.of(
            Cadence.NIGHTLY, Duration.ofHours(1),
            Cadence.HOURLY, Duration.ofMinutes(10),
            Cadence.MINUTES, Duration.ofMinutes(1));

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// The time until a child is killed, which it may be at any instant; shorter than the time that closing may
    /// take.
    private static final Duration CHILD_END_TIMEOUT = Duration.ofSeconds(3);

    /// The status in the history of a child that could not be started.
    private static final int NOT_STARTED = 3;

    /// The status of a child that found another process at work on the layer (EX_TEMPFAIL of sysexits.h). That
    /// process records how it ends.
    public static final int LAYER_BUSY = 75;

    /// After SIGINT and SIGTERM, which end the gateway and its child alike.
    private static final Set<Integer> STOPPED = Set.of(130, 143);

    private final Function<Task, List<String>> command;
    private final Optional<String> obstacle;
    private final Predicate<Cadence> hasFeeds;
    private final InstantSource clock;
    private final RebuildHistory history;
    private final Map<Cadence, Instant> lastChecks = new EnumMap<>(Cadence.class);
    private final AtomicReference<Optional<Running>> running = new AtomicReference<>(Optional.empty());
    private Optional<BackgroundTask> thread = Optional.empty();
    private volatile Optional<BackgroundTask> requested = Optional.empty();

    /// The work of a child process.
    ///
    /// @param operation empty for a rebuild if it is due
    /// @param generation to go back to
    public record Task(Cadence cadence, Optional<Operation> operation, Optional<String> generation) {
        private String label() {
            return operation.orElse(Operation.REBUILD).label();
        }
    }

    /// @param command that runs a task, and ends when its stdin ends
    /// @param obstacle why no rebuild can be requested here; empty if it can
    /// @param hasFeeds whether a layer has or had feeds
    /// @param history that the child writes too
    public Rebuilds(
            Function<Task, List<String>> command,
            Optional<String> obstacle,
            Predicate<Cadence> hasFeeds,
            RebuildHistory history,
            InstantSource clock) {
        this.command = command;
        this.obstacle = obstacle;
        this.hasFeeds = hasFeeds;
        this.history = history;
        this.clock = clock;
    }

    /// Settings that keep the gateway from rebuilding, by key.
    static List<String> problems(Configuration configuration, Feeds feeds) {
        boolean stdin = feeds.feeds().stream().anyMatch(feed -> feed.source().equals("-"));
        return configuration.gateway().rebuild() && stdin
                ? List.of("gateway.rebuild: a feed has stdin as its source, which a rebuild of the gateway cannot read")
                : List.of();
    }

    /// @throws ConfigException with what keeps rebuilds from being made by the gateway
    public static void check(ConfigurationSource source, Configuration configuration, Feeds feeds)
            throws ConfigException {
        source.requireNone(problems(configuration, feeds));
    }

    void start() {
        thread = Optional.of(BackgroundTask.every(PAUSE, "rebuild", this::checkLayers));
    }

    /// Rebuilds every layer whose check interval has passed.
    void checkLayers() throws InterruptedException {
        for (Cadence cadence : Cadence.values()) {
            Instant now = clock.instant();
            Optional<Instant> before = Optional.ofNullable(lastChecks.get(cadence));
            boolean wait = before.stream()
                    .anyMatch(at -> !at.isAfter(now)
                            && at.plus(CHECK_INTERVALS.getOrDefault(cadence, PAUSE))
                                    .isAfter(now));
            if (!wait && hasFeeds.test(cadence)) {
                Task task = new Task(cadence, Optional.empty(), Optional.empty());
                if (register(task, "").isEmpty()) {
                    return;
                }
                lastChecks.put(cadence, now);
                run(task);
            }
        }
    }

    /// Registers the task as running; empty while another task runs.
    private Optional<Running> register(Task task, String operator) {
        Optional<Running> registered =
                Optional.of(new Running(task.cadence().layer(), task.label(), clock.instant(), operator));
        return running.compareAndSet(Optional.empty(), registered) ? registered : Optional.empty();
    }

    @Override
    public Optional<Running> running() {
        return running.get();
    }

    @Override
    public Optional<String> obstacle() {
        return obstacle;
    }

    @Override
    public Optional<Running> start(Operation operation, Cadence cadence, Optional<String> generation, String operator) {
        Task task = new Task(cadence, Optional.of(operation), generation);
        Optional<Running> started = register(task, operator);
        if (started.isPresent()) {
            requested = Optional.of(BackgroundTask.start("rebuild-requested", () -> run(task)));
        }
        return started;
    }

    private void run(Task task) throws InterruptedException {
        Instant start = clock.instant();
        try {
            int status = runChild(task);
            if (status == LAYER_BUSY || STOPPED.contains(status)) {
                LOG.warn(
                        "gateway: layer {}: {} ended with status {}",
                        task.cadence().layer(),
                        task.label(),
                        status);
            } else if (status != 0) {
                recordFailure(
                        task,
                        start,
                        status,
                        task.label() + " ended with status " + status + "; the log of the gateway has its output");
            }
        } catch (IOException e) {
            recordFailure(task, start, NOT_STARTED, task.label() + " could not be started: " + IoText.describe(e));
        } finally {
            running.set(Optional.empty());
        }
    }

    /// Adds a failure to the history of rebuilds, unless the child recorded it.
    private void recordFailure(Task task, Instant start, int status, String reason) {
        String layer = task.cadence().layer();
        try {
            boolean recorded = history.find(Optional.of(layer), 1).stream()
                    .anyMatch(last -> last.status() == status && !last.time().isBefore(start));
            if (!recorded) {
                LOG.warn("gateway: layer {}: {}", layer, reason);
                Instant now = clock.instant();
                history.add(
                        task.operation().equals(Optional.of(Operation.ROLLBACK))
                                ? PastRebuild.ofFailedRollback(now, layer, status, reason)
                                : PastRebuild.ofFailure(now, layer, status, reason));
            }
        } catch (IOException e) {
            LOG.warn("gateway: layer {}: {}; not in the history of rebuilds: {}", layer, reason, IoText.describe(e));
        }
    }

    private int runChild(Task task) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(command.apply(task))
                .redirectErrorStream(true)
                .start();
        // The child ends before the log thread is closed, as its output ends with it.
        try (BackgroundTask _ = BackgroundTask.start("rebuild-log", () -> log(task, child))) {
            try {
                return child.waitFor();
            } finally {
                end(child);
            }
        }
    }

    private static void log(Task task, Process child) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    LOG.info("{} {}: {}", task.label(), task.cadence().layer(), line);
                }
            }
        } catch (IOException e) {
            LOG.debug(
                    "{} {}: its output ended: {}", task.label(), task.cadence().layer(), e.toString());
        }
    }

    private static void end(Process child) {
        if (child.isAlive()) {
            child.destroy();
            try {
                if (child.waitFor(CHILD_END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Process _ = child.destroyForcibly();
        }
    }

    @Override
    public void close() {
        thread.ifPresent(BackgroundTask::close);
        requested.ifPresent(BackgroundTask::close);
    }
}
