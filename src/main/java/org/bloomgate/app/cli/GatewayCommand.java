package org.bloomgate.app.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.History;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.ProgressLine;
import org.bloomgate.app.cli.common.Version;
import org.bloomgate.app.cli.rebuild.RebuildChild;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ZoneFeeds;
import org.bloomgate.app.gateway.watch.SystemdNotifier;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.app.gateway.wiring.Rebuilds;
import org.bloomgate.app.gateway.wiring.Reload;
import org.bloomgate.app.gateway.wiring.Tiers;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.rebuild.Rebuild;
import org.bloomgate.lists.rebuild.RebuildPlan;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.RebuildHistory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `gateway`: runs the gateway until a signal.
@Command(
        name = "gateway",
        description = {
            "Runs the gateway: SMTP relay and HTTP, and milter and DNS if configured.",
            "SIGTERM and SIGINT let messages in progress finish (status 0); a second one stops at once (status 143 or"
                    + " 130).",
            "The line 'ready smtp=ADDRESS http=ADDRESS snapshot=GENERATION' on stderr shows that it is ready, with"
                    + " milter=ADDRESS and dns=ADDRESS if configured.",
            "SIGHUP reloads the configuration; the log names what was rejected or needs a restart.",
            "Without a snapshot, it builds one if all feeds are shipped samples and mirror.url is empty, and is not"
                    + " ready otherwise."
        })
final class GatewayCommand extends ConfiguredCommand {
    /// The directory of the sample feeds, which may be built without confirmation; a package installs it
    /// elsewhere as a whole.
    private static final Path SAMPLES = Path.of("blacklists", "sample");

    @Option(names = "--rebuild", description = "Run due rebuilds in a child process, as gateway.rebuild: true does.")
    boolean rebuild;

    @Override
    public Integer call() throws ConfigException, InputException, IOException, InterruptedException {
        LogSetup.forService();
        if (rebuild) {
            configuration.sets.put("gateway.rebuild", "true");
        }
        Configuration read = configuration.read();
        LogSetup.use(read.log());
        if (!read.mirror().isEnabled()) {
            buildSamplesIfNeeded(read);
        }
        try (Gateway gateway = Gateway.start(read, Optional.of(rebuilds(read)));
                SystemdNotifier systemd = new SystemdNotifier(System.getenv(), gateway::notReady)) {
            gateway.show(configuration.source());
            StopSignals signals = StopSignals.register();
            new Reload(configuration.source(), gateway).onHangup();
            printLogLine(read, gateway.readyLine());
            systemd.start();
            signals.await();
        }
        return ExitStatus.FINE;
    }

    private Rebuilds rebuilds(Configuration read) throws ConfigException {
        if (read.gateway().rebuild()) {
            Rebuilds.check(configuration.source(), read, configuration.feeds(read));
        }
        return new Rebuilds(
                task -> RebuildChild.command(read, configuration, task),
                read.mirrored("rebuild or roll back"),
                cadence -> hasWork(read, cadence),
                new RebuildHistory(read.snapshots()),
                InstantSource.system());
    }

    /// Whether the layer has or had feeds; true if the feeds file is invalid, as the rebuild then reports the
    /// error.
    private boolean hasWork(Configuration read, Cadence cadence) {
        try {
            return configuration.feeds(read).fetched().feeds().stream().anyMatch(feed -> feed.cadence() == cadence)
                    || new LayerDirectory(read.snapshots(), cadence.layer())
                            .readCurrent()
                            .isPresent();
        } catch (ConfigException | IOException e) {
            return true;
        }
    }

    private void buildSamplesIfNeeded(Configuration read) throws ConfigException, InputException, IOException {
        Feeds all = configuration.feeds(read);
        ZoneFeeds.check(configuration.source(), read, all);
        Feeds feeds = all.fetched();
        boolean samplesOnly = !feeds.feeds().isEmpty() && feeds.feeds().stream().allMatch(GatewayCommand::isSample);
        if (samplesOnly && !Tiers.anySnapshot(read)) {
            printLogLine(read, "no snapshot yet: building one from the shipped samples");
            Rebuild rebuild = Rebuilding.of(read, feeds, Version.text());
            for (Cadence cadence : Cadence.values()) {
                if (feeds.feeds().stream().anyMatch(feed -> feed.cadence() == cadence)) {
                    build(read, rebuild, cadence, feeds);
                }
            }
        }
    }

    private void build(Configuration read, Rebuild rebuild, Cadence cadence, Feeds feeds) throws IOException {
        try (ProgressLine progress = ProgressLine.on(line -> printLogLine(read, line), cadence.layer())) {
            RebuildReport report = rebuild.run(
                    cadence, feeds.feeds(), new RebuildPlan.FromFeeds(Set.of(), Rebuild.Mode.PUBLISH), progress);
            History.of(read, err()).add(report);
            report.closedGate().ifPresent(gate -> printLogLine(read, "nothing was published: " + gate));
        }
    }

    /// A line on stderr in the format of the log.
    private void printLogLine(Configuration read, String line) {
        err().println(LogLine.of(read.log().format(), line));
    }

    private static boolean isSample(Feed feed) {
        Path folder = Path.of(feed.source()).normalize().getParent();
        return folder != null && folder.endsWith(SAMPLES);
    }
}
