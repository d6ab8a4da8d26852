package org.bloomgate.app.cli.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.History;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.ProgressLine;
import org.bloomgate.app.cli.common.Version;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.PublisherService;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.app.gateway.wiring.Rebuilds;
import org.bloomgate.app.gateway.wiring.RetroSearch;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ScalarReader;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.fetch.SourceFiles;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.ReportJson;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.rebuild.Rebuild;
import org.bloomgate.lists.rebuild.RebuildPlan;
import org.bloomgate.lists.rebuild.Runs;
import org.bloomgate.lists.rebuild.RunsRefusedException;
import org.bloomgate.lists.snapshot.LayerBusyException;
import org.bloomgate.lists.snapshot.PastRebuild;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `rebuild`: builds due layers, or the layers that options name.
@Command(
        name = "rebuild",
        description = {
            "Builds a new snapshot from the feeds of each layer that is due.",
            "Running gateways adopt it within seconds.",
            "A layer is due without a snapshot, when its feeds were not checked for its cadence (nightly 20 h, hourly 50 min, minutes 4 min),"
                    + " or when a feed failed, or its definition or local file changed. Web servers are"
                    + " queried once a cadence. When nothing is new, the age of the snapshot is renewed and none is"
                    + " published.",
            "--all, --layer, --feed, --from-runs, --dry-run and --force build whether or not a layer is due.",
            "A feed that fails is replaced by its last good copy. Status 1 when a gate closed or a feed failed.",
            "With mirror.url nothing is rebuilt: status 2, and with --due, as nothing is due then, status 0."
        })
public final class RebuildCommand extends ConfiguredCommand {
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final String CREATED_AT_RANGE =
            " takes a time from 2000 to the present, for example 2026-11-21T02:00:00Z";

    @Option(
            names = "--layer",
            paramLabel = "LAYER",
            description = "nightly, hourly or minutes, due or not; with --due only if it is due. May be repeated.")
    List<Cadence> layers = List.of();

    @Option(names = "--all", description = "Every layer that has feeds, due or not.")
    boolean all;

    @Option(names = "--due", description = "Only due layers, of those given by --layer. For timers.")
    boolean dueOnly;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "Wait up to DURATION (for example 30m) for a running rebuild of the same layer instead of"
                    + " exiting with status 3. Only for due layers.")
    Optional<String> wait = Optional.empty();

    @Option(
            names = "--feed",
            paramLabel = "NAME",
            description = "Fetch only this feed and use the last good copies of the others. May be repeated.")
    Set<String> onlyFeeds = Set.of();

    @Option(names = "--dry-run", description = "Build and prove, publish nothing, and print what would change.")
    boolean dryRun;

    @Option(
            names = "--force",
            description = "Publish although gates are closed; the report names them. Not after a failed proof or "
                    + "with a canary.")
    boolean force;

    @Option(
            names = "--created-at",
            paramLabel = "INSTANT",
            description =
                    "Time of the snapshot, for example 2026-11-21T02:00:00Z (default: now). Builds, due or " + "not.")
    Optional<String> createdAt = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the filters (default: random). With --created-at, equal keys give byte-identical"
                    + " filters. Builds, due or not.")
    Optional<Long> seed = Optional.empty();

    @Option(
            names = "--from-runs",
            paramLabel = "DIR",
            description = "Build from the sorted runs that 'bloomgate spark' or another engine wrote to DIR, "
                    + "instead of the feeds: their layers, with their time.")
    Optional<Path> fromRuns = Optional.empty();

    @Option(names = RebuildChild.OPTION, hidden = true)
    boolean child;

    @Option(names = "--json", description = "Print the report as one object for each layer.")
    boolean json;

    @Override
    public Integer call() throws ConfigException, IOException, InputException, InterruptedException {
        if (child) {
            RebuildChild.endWithParent();
        }
        try {
            return rebuildLayers();
        } catch (IOException e) {
            if (child && e.getCause() instanceof LayerBusyException) {
                remark(IoText.describe(e));
                return Rebuilds.LAYER_BUSY;
            }
            throw e;
        }
    }

    private int rebuildLayers() throws ConfigException, IOException, InputException, InterruptedException {
        Configuration read = configuration.read();
        requireConsistentOptions();
        Optional<String> mirrored = read.mirrored("rebuild");
        if (mirrored.isPresent()) {
            return onMirror(mirrored.get());
        }
        Feeds feeds = configuration.feeds(read).fetched();
        requireKnown(feeds);
        Optional<Runs> runs = runs();
        Rebuild rebuild = Rebuilding.of(read, feeds, Version.text(), clock(runs), seeds(runs));
        int status = ExitStatus.FINE;
        History history = History.of(read, err());
        for (Cadence cadence : layersToBuild(rebuild, feeds, runs)) {
            RebuildReport report = runAndRecord(history, rebuild, cadence, feeds, runs);
            try {
                if (!dryRun) {
                    PublisherService.publishGenerations(read);
                }
            } finally {
                print(report, read);
            }
            status = Math.max(status, report.outcome().exitStatus());
        }
        return status;
    }

    /// Reports that nothing is due on a mirror, because all machines of a fleet may have the same timers.
    private int onMirror(String why) throws InputException {
        if (!dueOnly) {
            throw new InputException(why);
        }
        remark("nothing is due: " + why);
        return ExitStatus.FINE;
    }

    private Optional<Runs> runs() throws IOException, InputException {
        try {
            return fromRuns.isPresent() ? Optional.of(Runs.read(fromRuns.get())) : Optional.empty();
        } catch (RunsRefusedException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        }
    }

    /// Rebuilds the layer and adds the outcome to the history, except that of a dry run and of a layer that
    /// another process is rebuilding.
    private RebuildReport runAndRecord(
            History history, Rebuild rebuild, Cadence cadence, Feeds feeds, Optional<Runs> runs)
            throws IOException, InputException {
        try {
            RebuildReport report = run(rebuild, cadence, feeds, runs);
            if (!report.outcome().isDryRun()) {
                history.add(report);
            }
            return report;
        } catch (IOException e) {
            if (!dryRun && !(e.getCause() instanceof LayerBusyException)) {
                history.add(
                        PastRebuild.ofFailure(Instant.now(), cadence.layer(), ExitStatus.UNKNOWN, IoText.describe(e)));
            }
            throw e;
        }
    }

    private RebuildReport run(Rebuild rebuild, Cadence cadence, Feeds feeds, Optional<Runs> runs)
            throws IOException, InputException {
        try (ProgressLine progress = ProgressLine.on(err()::println, cadence.layer())) {
            return rebuild.run(cadence, feeds.feeds(), plan(runs), progress);
        } catch (RunsRefusedException e) {
            throw new InputException("layer " + cadence.layer() + " is not rebuilt: " + e.getMessage());
        } catch (IOException e) {
            throw new IOException("layer " + cadence.layer() + " is not rebuilt: " + IoText.describe(e), e);
        }
    }

    private RebuildPlan plan(Optional<Runs> runs) throws InputException {
        if (runs.isPresent()) {
            return new RebuildPlan.FromRuns(runs.get(), mode());
        }
        return buildsDueLayersOnly() ? new RebuildPlan.IfDue(maxWait()) : new RebuildPlan.FromFeeds(onlyFeeds, mode());
    }

    private void print(RebuildReport report, Configuration read) throws InterruptedException {
        RebuildReport completeReport = RetroSearch.after(report, read);
        if (force) {
            CliAudit.recordIfPossible(
                            read,
                            What.REBUILD_FORCE,
                            report.layer(),
                            Map.of("outcome", report.outcome().label()))
                    .ifPresent(this::remark);
        }
        out().println(json ? ReportJson.of(completeReport) : RebuildText.of(completeReport));
    }

    private boolean buildsDueLayersOnly() {
        return dueOnly
                || !(all
                        || dryRun
                        || force
                        || isFixed()
                        || fromRuns.isPresent()
                        || !layers.isEmpty()
                        || !onlyFeeds.isEmpty());
    }

    private boolean isFixed() {
        return createdAt.isPresent() || seed.isPresent();
    }

    private InstantSource clock(Optional<Runs> runs) throws InputException {
        if (createdAt.isEmpty() && runs.isEmpty()) {
            return InstantSource.system();
        }
        return InstantSource.fixed(
                createdAt.isPresent()
                        ? createdAt(createdAt.get())
                        : requirePast(runs.orElseThrow().index().createdAt(), "createdAt of the runs"));
    }

    /// Parses the creation time of a snapshot.
    static Instant createdAt(String text) throws InputException {
        try {
            return requirePast(Instant.parse(text), "--created-at");
        } catch (DateTimeParseException e) {
            throw new InputException("--created-at" + CREATED_AT_RANGE);
        }
    }

    private static Instant requirePast(Instant at, String what) throws InputException {
        if (at.isAfter(EARLIEST) && at.isBefore(Instant.now())) {
            return at;
        }
        throw new InputException(what + CREATED_AT_RANGE);
    }

    /// The seed of the option, otherwise of the runs, otherwise a random one.
    private SeedSource seeds(Optional<Runs> runs) {
        OptionalLong fixed = seed.map(OptionalLong::of)
                .orElse(runs.map(sortedRuns -> sortedRuns.index().seed()).orElse(OptionalLong.empty()));
        return fixed.isPresent() ? new SeedSource.Given(fixed.getAsLong()) : new SeedSource.Drawn(new SecureRandom());
    }

    private void requireConsistentOptions() throws InputException {
        if (dryRun && force) {
            throw new InputException("--dry-run cannot be combined with --force: it publishes nothing");
        }
        if (dueOnly && (all || dryRun || force || isFixed() || fromRuns.isPresent() || !onlyFeeds.isEmpty())) {
            throw new InputException("--due cannot be combined with --all, --feed, --from-runs, --dry-run or --force");
        }
        if (fromRuns.isPresent() && (createdAt.isPresent() || !onlyFeeds.isEmpty())) {
            throw new InputException(
                    "--from-runs cannot be combined with --created-at or --feed: the runs have a time and feeds");
        }
        if (wait.isPresent() && !buildsDueLayersOnly()) {
            throw new InputException("--wait cannot be combined with --all, --layer, --feed, --dry-run or --force");
        }
    }

    private Duration maxWait() throws InputException {
        try {
            return wait.isPresent() ? ScalarReader.duration(wait.get()) : Duration.ZERO;
        } catch (IllegalArgumentException e) {
            throw new InputException("--wait: " + e.getMessage());
        }
    }

    private Rebuild.Mode mode() {
        if (dryRun) {
            return Rebuild.Mode.DRY_RUN;
        }
        return force ? Rebuild.Mode.FORCE : Rebuild.Mode.PUBLISH;
    }

    private List<Cadence> layersToBuild(Rebuild rebuild, Feeds feeds, Optional<Runs> runs) throws InputException {
        List<Cadence> selected = new ArrayList<>();
        for (Cadence cadence : Cadence.values()) {
            boolean requested = layers.isEmpty() || layers.contains(cadence);
            boolean available = runs.map(index -> index.has(cadence.layer())).orElse(true);
            if (requested && available && hasWork(rebuild, cadence, feeds)) {
                selected.add(cadence);
            }
        }
        if (selected.isEmpty() && !dueOnly) {
            throw new InputException("no feed of that layer is configured: nothing to rebuild");
        }
        return selected;
    }

    private boolean hasWork(Rebuild rebuild, Cadence cadence, Feeds feeds) {
        return onlyFeeds.isEmpty()
                ? rebuild.hasWork(cadence, feeds.feeds())
                : feeds.feeds().stream()
                        .anyMatch(
                                feed -> feed.cadence() == cadence && names(feed).anyMatch(onlyFeeds::contains));
    }

    /// The name of the feed and those of its files.
    private static Stream<String> names(Feed feed) {
        return Stream.concat(
                Stream.of(feed.name()), SourceFiles.of(feed).stream().map(Feed::name));
    }

    private void requireKnown(Feeds feeds) throws InputException {
        Set<String> unknown = new TreeSet<>(onlyFeeds);
        feeds.feeds().stream().flatMap(RebuildCommand::names).forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw new InputException("no such feed: " + String.join(", ", unknown) + "; configured are "
                    + String.join(", ", feeds.feeds().stream().map(Feed::name).toList()));
        }
    }
}
