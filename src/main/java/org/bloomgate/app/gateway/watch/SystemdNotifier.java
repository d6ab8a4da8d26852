package org.bloomgate.app.gateway.watch;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The readiness of a gateway, as the status line of its systemd unit (`Type=notify`). The first notification
/// ends the start of the unit, also when there is no snapshot: mail is relayed without one, too. The program
/// `systemd-notify` sends it, because Java has no datagram Unix sockets.
public final class SystemdNotifier implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(SystemdNotifier.class);

    private final boolean enabled;
    private final Supplier<Optional<String>> notReady;
    private final Runner runner;
    private String sent = "";
    private Optional<BackgroundTask> task = Optional.empty();

    interface Runner {
        /// Runs a command and returns its exit status.
        int run(List<String> command) throws IOException, InterruptedException;
    }

    /// @param environment in which `NOTIFY_SOCKET` is set if systemd wants notifications
    /// @param notReady the reason why the gateway is not ready; empty if it is
    public SystemdNotifier(Map<String, String> environment, Supplier<Optional<String>> notReady) {
        this(
                environment,
                notReady,
                command -> new ProcessBuilder(command).inheritIO().start().waitFor());
    }

    SystemdNotifier(Map<String, String> environment, Supplier<Optional<String>> notReady, Runner runner) {
        this.enabled = environment.containsKey("NOTIFY_SOCKET");
        this.notReady = notReady;
        this.runner = runner;
    }

    /// Notifies systemd now, and from now on whenever the readiness has changed.
    public void start() throws InterruptedException {
        if (enabled) {
            round();
            task = Optional.of(BackgroundTask.every(ROUND, "systemd", this::round));
        }
    }

    void round() throws InterruptedException {
        String status = notReady.get().map(why -> "not ready: " + why).orElse("ready");
        if (status.equals(sent)) {
            return;
        }
        sent = status;
        try {
            // A line end would begin another field of the notification.
            int exit = runner.run(
                    List.of("systemd-notify", "--ready", "--status=" + status.replaceAll("\\p{Cntrl}", " ")));
            if (exit != 0) {
                LOG.error("systemd: systemd-notify ended with status {}", exit);
            }
        } catch (IOException e) {
            LOG.error("systemd: {}", IoText.describe(e));
        }
    }

    @Override
    public void close() {
        task.ifPresent(BackgroundTask::close);
    }
}
