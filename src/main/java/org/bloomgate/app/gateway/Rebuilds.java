package org.bloomgate.app.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.Refusal;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rebuilds that a gateway has made, each in a process of its own: what a feed does to its memory happens
/// there, and the mail has the processor first. One at a time, by a thread of its own after [#start()]; the
/// layer that is not due is left alone by the process itself.
///
/// The child holds the other end of a pipe as its stdin, so that it ends with this process, however that ends.
/// The next child removes its remains. Any thread may read the status.
public final class Rebuilds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rebuilds.class);

    /// Well below the cadence: a feed that failed, and a file that changed, wait no longer.
    private static final Map<Cadence, Duration> LOOKS = Map.of(
            Cadence.NIGHTLY, Duration.ofHours(1),
            Cadence.HOURLY, Duration.ofMinutes(10),
            Cadence.MINUTES, Duration.ofMinutes(1));

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// Below what closing waits for; a rebuild may be killed at any instant.
    private static final Duration CHILD_ENDS_WITHIN = Duration.ofSeconds(3);

    private final Function<Cadence, List<String>> command;
    private final Predicate<Cadence> concerned;
    private final InstantSource clock;
    private final Map<Cadence, Instant> looked = new EnumMap<>(Cadence.class);
    private final Map<Cadence, Run> last = new ConcurrentHashMap<>();
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean running;
    private volatile Optional<Instant> succeeded = Optional.empty();
    private Optional<BackgroundTask> thread = Optional.empty();

    /// How a run ended.
    ///
    /// @param exitStatus of `rebuild`
    private record Run(Instant at, int exitStatus) {}

    /// @param command that rebuilds a layer if it is due, and ends when its stdin does
    /// @param concerned whether a layer has feeds, or had some
    public Rebuilds(Function<Cadence, List<String>> command, Predicate<Cadence> concerned, InstantSource clock) {
        this.command = command;
        this.concerned = concerned;
        this.clock = clock;
    }

    /// Settings that keep the gateway from rebuilding, by key.
    static List<String> problems(Configuration configuration, Feeds feeds) {
        boolean stdin = feeds.feeds().stream().anyMatch(feed -> feed.source().equals("-"));
        return configuration.gateway().rebuild() && stdin
                ? List.of("gateway.rebuild: a feed has stdin as its source, which the gateway has no use of")
                : List.of();
    }

    /// @throws ConfigException with what keeps rebuilds from being made by the gateway
    public static void check(ConfigurationSource source, Configuration configuration, Feeds feeds)
            throws ConfigException {
        source.refuse(problems(configuration, feeds));
    }

    void start() {
        thread = Optional.of(BackgroundTask.every(PAUSE, "rebuild", this::look));
    }

    /// Rebuilds every layer that was not looked at for its time.
    void look() throws InterruptedException {
        for (Cadence cadence : Cadence.values()) {
            Instant now = clock.instant();
            Optional<Instant> before = Optional.ofNullable(looked.get(cadence));
            boolean wait = before.stream()
                    .anyMatch(at -> !at.isAfter(now)
                            && at.plus(LOOKS.getOrDefault(cadence, PAUSE)).isAfter(now));
            if (!wait && concerned.test(cadence)) {
                looked.put(cadence, now);
                run(cadence);
            }
        }
    }

    private void run(Cadence cadence) throws InterruptedException {
        running = true;
        try {
            int status = ended(cadence);
            Instant now = clock.instant();
            runs.incrementAndGet();
            last.put(cadence, new Run(now, status));
            if (status == 0) {
                succeeded = Optional.of(now);
            } else {
                failures.incrementAndGet();
                LOG.warn("rebuild of layer {} ended with status {}", cadence.layer(), status);
            }
        } catch (IOException e) {
            failures.incrementAndGet();
            last.put(cadence, new Run(clock.instant(), -1));
            LOG.error("rebuild of layer {} could not be started: {}", cadence.layer(), IoText.describe(e));
        } finally {
            running = false;
        }
    }

    private int ended(Cadence cadence) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(command.apply(cadence))
                .redirectErrorStream(true)
                .start();
        try (BackgroundTask _ = BackgroundTask.start("rebuild-log", () -> log(cadence, child))) {
            return child.waitFor();
        } finally {
            end(child);
        }
    }

    private static void log(Cadence cadence, Process child) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    LOG.info("rebuild {}: {}", cadence.layer(), line);
                }
            }
        } catch (IOException gone) {
            LOG.debug("rebuild {}: its output ended: {}", cadence.layer(), gone.toString());
        }
    }

    private static void end(Process child) {
        if (child.isAlive()) {
            child.destroy();
            try {
                if (child.waitFor(CHILD_ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException again) {
                Thread.currentThread().interrupt();
            }
            Process _ = child.destroyForcibly();
        }
    }

    /// The status with the layers whose last rebuild did not end well.
    LiveStatus with(LiveStatus status) {
        List<Refusal> refusals = new ArrayList<>();
        last.forEach((cadence, run) -> {
            if (run.exitStatus() != 0) {
                refusals.add(new Refusal("rebuild " + cadence.layer(), "", reason(run.exitStatus()), run.at()));
            }
        });
        return status.with(refusals);
    }

    private static String reason(int status) {
        return status == 1
                ? "rebuild: a gate closed or a feed failed, the log says which"
                : "rebuild: ended with status " + status + ", the log says why";
    }

    void show(GatewayMetrics metrics) {
        metrics.total("rebuild.runs", "Rebuilds that the gateway had made, of what was due or not", runs::get);
        metrics.total(
                "rebuild.failures",
                "Rebuilds that a gate stopped, or that ended with a failed feed or a fault",
                failures::get);
        metrics.gauge("rebuild.running", "1 while the gateway has a rebuild made", () -> running ? 1 : 0);
        metrics.age(
                "rebuild.success.age.seconds",
                "Since a rebuild that the gateway had made ended well; absent when none did",
                () -> succeeded);
    }

    @Override
    public void close() {
        thread.ifPresent(BackgroundTask::close);
    }
}
