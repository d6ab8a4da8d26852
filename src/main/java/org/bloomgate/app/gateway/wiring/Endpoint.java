package org.bloomgate.app.gateway.wiring;

import static java.util.stream.Collectors.joining;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.options.ExactOptions;
import org.bloomgate.app.gateway.options.StateFolder;
import org.bloomgate.app.gateway.options.ZoneUse;
import org.bloomgate.app.gateway.watch.ExactWatch;
import org.bloomgate.app.gateway.watch.OperatorChanges;
import org.bloomgate.app.gateway.watch.RebuildWatch;
import org.bloomgate.app.gateway.watch.StartCache;
import org.bloomgate.app.gateway.watch.StateWatch;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.concurrent.ResourceStack;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.base.config.Setting;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ReadingPool;
import org.bloomgate.decision.evaluation.SeenName;
import org.bloomgate.decision.evaluation.ValueCheck;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.decision.journal.MessageCounts;
import org.bloomgate.decision.journal.MessageCountsFile;
import org.bloomgate.decision.keyjournal.HourlyKeyJournal;
import org.bloomgate.decision.keyjournal.KeyJournal;
import org.bloomgate.decision.memory.NewLink;
import org.bloomgate.decision.memory.OtherGateways;
import org.bloomgate.decision.reports.AutomaticListing;
import org.bloomgate.decision.reports.Originals;
import org.bloomgate.decision.reports.ReportQueue;
import org.bloomgate.decision.reports.ReportReader;
import org.bloomgate.decision.reports.Reports;
import org.bloomgate.lists.mirror.MemoryExchange;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.server.api.LayerChanges;
import org.bloomgate.server.api.Routes;
import org.bloomgate.server.api.Services;
import org.bloomgate.server.http.HttpListener;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.bloomgate.server.quarantine.Quarantine;
import org.bloomgate.server.quarantine.QuarantineIndex;
import org.bloomgate.server.quarantine.QuarantineIntake;
import org.bloomgate.server.quarantine.QuarantineRelease;
import org.bloomgate.server.quarantine.QuarantineService;
import org.bloomgate.server.spool.MailMetrics;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;
import org.bloomgate.server.spool.MessageSpool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The HTTP listener over the current snapshots, with the decision journal: a whole lookup service, and all of
/// a gateway except mail.
public final class Endpoint implements Reload.Running, AutoCloseable {
    private static final Duration WARM_UP = Duration.ofSeconds(2);

    private static final Duration SNAPSHOT_CHECK = Duration.ofMillis(250);
    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);
    private static final Duration LOCAL_CHECK = Duration.ofMillis(250);

    private final ResourceStack parts = new ResourceStack();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Configuration started;
    private final Conditions conditions;
    private final StateWatch stateFolders;
    private volatile Configuration lastRead;
    private volatile List<Setting> settings = List.of();
    private final Tiers tiers;
    private final ExactWatch exact;
    private volatile boolean reloadRefused;
    private volatile Supplier<List<Condition>> mailConditions = List::of;
    private volatile Optional<MemoryExchange> exchange = Optional.empty();
    private final OperatorChanges operators;
    private final MirrorService mirrorService;
    private final PublisherService publisherService;
    private static final int SPOOL_BYTES = 64 * 1024;

    private final Optional<Rebuilds> rebuilds;
    private final RebuildWatch rebuildWatch;
    private final JsonDecisionJournal journal;
    private final KeyJournal keys;
    private final MailRecords records;
    private final GatewayMetrics metrics;
    private final ValueCheck values;
    private final Reports reports;
    private final MessageScan scan;
    private final Exports exports;
    private final QuarantineIndex quarantineIndex;
    private final QuarantineIntake intake;
    private final HttpListener http;

    /// Opens everything; [#start()] begins to serve.
    public static Endpoint open(Configuration configuration) throws IOException, ConfigException {
        return new Endpoint(
                configuration,
                Optional.empty(),
                StateFolder.ofLookup(configuration),
                _ -> KeyJournal.none(),
                MessageCountsFile.OF_LOOKUP);
    }

    /// @param rebuilds started and closed with the endpoint
    static Endpoint open(Configuration configuration, Optional<Rebuilds> rebuilds) throws IOException, ConfigException {
        return new Endpoint(
                configuration,
                rebuilds,
                StateFolder.ofGateway(configuration, configuration.nextHop()),
                clock -> new HourlyKeyJournal(configuration.journal().keys(), clock),
                MessageCountsFile.OF_GATEWAY);
    }

    private interface KeyJournalOpener {
        KeyJournal open(InstantSource clock) throws IOException;
    }

    private Endpoint(
            Configuration configuration,
            Optional<Rebuilds> rebuilds,
            List<StateFolder> folders,
            KeyJournalOpener keyJournal,
            String countsFile)
            throws IOException, ConfigException {
        this.rebuilds = rebuilds;
        this.started = configuration;
        this.lastRead = configuration;
        InstantSource clock = InstantSource.system();
        try {
            conditions = new Conditions("service", clock);
            stateFolders = parts.add(new StateWatch(folders, conditions));
            tiers = parts.add(Tiers.open(configuration));
            exact = parts.add(new ExactWatch(tiers.exact()::losses, conditions));
            mirrorService = parts.add(MirrorService.of(configuration, tiers.layers()::share, clock));
            publisherService = parts.add(PublisherService.of(configuration, tiers.layers(), clock));
            MessageCounts counts = new MessageCounts();
            parts.add(MessageCountsFile.open(configuration.journal(), countsFile, counts));
            journal = parts.add(new JsonDecisionJournal(configuration.journal(), clock, counts));
            journal.mend();
            keys = parts.add(keyJournal.open(clock));
            RebuildHistory history = new RebuildHistory(configuration.snapshots());
            rebuildWatch = parts.add(
                    new RebuildWatch(() -> lastRead, history, tiers.snapshots()::readStatus, conditions, clock));
            exports = parts.add(new Exports(() -> lastRead, tiers, conditions, clock));
            metrics = parts.add(metrics(clock));
            tiers.zones().bindTo(registry);
            tiers.authenticationDns().bindTo(registry);
            tiers.exact().counts().ifPresent(remote -> remote.bindTo(registry));
            values = new ValueCheck(
                    tiers.layers(),
                    tiers.evaluator().lookup(),
                    tiers.evaluator().phones());
            scan = new MessageScan(tiers.layers(), tiers.evaluator());
            Quarantine quarantine = new Quarantine(configuration.quarantine().folder());
            quarantineIndex = new QuarantineIndex(quarantine, ClientMemory.ofProcess());
            intake = new QuarantineIntake(
                    quarantine,
                    quarantineIndex,
                    configuration.smtp().memory().temporary(),
                    bounds(configuration),
                    registry);
            records = new MailRecords(journal, keys, new MailMetrics(registry), intake, clock, Optional.empty());
            AuditLog audit = new AuditLog(configuration.local().directory());
            operators = new OperatorChanges(audit, clock);
            Files.createDirectories(configuration.smtp().memory().temporary());
            reports = Rebuilding.reports(configuration, Rebuilding.createCurrentGates(configuration));
            Services services = new Services(
                    new Services.Lookups(tiers.layers(), values, reports),
                    new Services.Messages(
                            scan, records, () -> spool(configuration), quarantineService(quarantine), () -> exchange),
                    new Services.Lists(
                            configuration.snapshots(),
                            history,
                            rebuilds.map(LayerChanges.class::cast).orElseGet(() -> noRebuilds(history)),
                            since -> Rebuilding.report(lastRead, since),
                            exports),
                    new Services.State(this::status, metrics, () -> settings, audit));
            http = new HttpListener(configuration.http(), Routes.of(configuration.http(), services), metrics);
        } catch (IOException | ConfigException | RuntimeException e) {
            parts.close();
            throw e;
        }
    }

    /// Lists what several people report, with the memory of the evaluator in use.
    AutomaticListing startAutomaticListing() {
        metrics.registerGauge(
                "reports.listed",
                "Identifiers that are listed because several people reported them",
                () -> AutomaticListing.listActive(tiers.layers()).size());
        return new AutomaticListing(
                        reports,
                        new AutomaticListing.Sources(
                                tiers.layers(),
                                started.journal().keys(),
                                started.smtp().access().clientNetworks(),
                                tokens -> journal.find(tokens).values().stream()
                                        .flatMap(decision -> decision.envelope().recipients().stream())
                                        .toList(),
                                this::findFirstSeen),
                        () -> lastRead.reports().auto(),
                        InstantSource.system())
                .start();
    }

    /// When the site saw a name first, in links or as a sender; the epoch if it is known or popular.
    private Optional<Instant> findFirstSeen(Key key) {
        String name = key.kind().rules().host(key.text()).orElse(key.text());
        Optional<SeenName> seen = SeenName.find(name, scan.history(), readSuffixes(), OtherGateways.NONE);
        if (seen.filter(SeenName::known).isPresent()) {
            return Optional.of(Instant.EPOCH);
        }
        Optional<Instant> sender = seen.flatMap(SeenName::sender)
                .map(day -> day.atStartOfDay(ZoneOffset.UTC).toInstant());
        return Stream.concat(seen.flatMap(SeenName::link).map(NewLink::firstSeen).stream(), sender.stream())
                .min(Comparator.naturalOrder());
    }

    /// Opens the queue of reports and shows its figures.
    ReportQueue openReports(InstantSource clock) throws IOException {
        ReportReader reader = new ReportReader(
                tiers.evaluator().reading().reader(),
                this::readSuffixes,
                new Originals(journal, started.journal().keys(), started.smtp().hostname(), clock),
                started.smtp().access().loginDomains());
        ReportQueue queue = new ReportQueue(started.reports().folder().resolve("queue"), reader, reports.store());
        metrics.registerGauge("reports.waiting", "Reports that are not read yet", queue::waiting);
        for (ReportQueue.Handling handling : ReportQueue.Handling.values()) {
            metrics.registerTotal(
                    "reports",
                    "Messages to an address for reports, by what became of them",
                    () -> queue.total(handling),
                    "outcome",
                    TextForms.lowerCase(handling.name()));
        }
        return queue;
    }

    private PublicSuffixes readSuffixes() {
        try (LayerLease lease = tiers.layers().lease()) {
            return lease.suffixes();
        }
    }

    /// A spool that keeps the first 64 KiB in memory and the rest on disk.
    private static MessageSpool spool(Configuration configuration) {
        return new MessageSpool(
                new MemoryBudget(SPOOL_BYTES),
                SPOOL_BYTES,
                configuration.smtp().memory().temporary(),
                configuration.http().maxMessageBytes());
    }

    private static QuarantineIntake.Bounds bounds(Configuration configuration) {
        return new QuarantineIntake.Bounds(
                configuration.quarantine(), configuration.smtp().limits().maxMessageBytes());
    }

    /// Releases go to the next hop that is configured at that time.
    private QuarantineService quarantineService(Quarantine quarantine) {
        return new QuarantineService(quarantine, quarantineIndex, () -> {
            Configuration current = lastRead;
            return QuarantineRelease.open(current.nextHop(), current.nextHopOptions(), quarantine);
        });
    }

    private static Rebuilds noRebuilds(RebuildHistory history) {
        return new Rebuilds(
                _ -> List.of(),
                Optional.of("this process runs no rebuilds: a gateway or the command 'rebuild' does"),
                _ -> false,
                history,
                InstantSource.system());
    }

    LiveStatus status() {
        LiveStatus ofParts = tiers.status()
                .withFollowing(mirrorService.following())
                .with(mirrorService.faults())
                .with(mailConditions.get())
                .with(conditions);
        LiveStatus withReading = ReadingPool.ofProcess()
                .findRejectionReason()
                .map(ofParts::withUnreadyReason)
                .orElse(ofParts);
        return tiers.counts()
                .describeDegradation()
                .map(why -> withReading.withDegradedLookup(
                        why, InstantSource.system().instant()))
                .orElse(withReading);
    }

    private GatewayMetrics metrics(InstantSource clock) {
        GatewayMetrics gauges = new GatewayMetrics(registry, tiers.layers(), clock);
        gauges.bindLookups(tiers.counts());
        gauges.bindSnapshots(this::status);
        mirrorService.show(gauges);
        rebuildWatch.show(gauges);
        stateFolders.show(gauges);
        exports.show(gauges);
        StartCache.show(gauges);
        ClientMemory memory = ClientMemory.ofProcess();
        gauges.registerGauge("client.memory.bytes", "Heap that clients of all listeners use", memory::takenBytes);
        gauges.registerGauge("client.memory.max.bytes", "Heap that they may use", memory::totalBytes);
        gauges.registerGauge(
                "reload.refused", "1 if the last reload of the configuration was refused", () -> reloadRefused ? 1 : 0);
        gauges.registerGauge(
                "reading.threads.abandoned",
                "Threads that did not return from a message that took too long",
                ReadingPool.ofProcess()::abandoned);
        gauges.bindLocalEntries(tiers.layers());
        gauges.registerTotal("journal.dropped", "Decisions that the journal could not record", journal::dropped);
        gauges.registerTotal(
                "journal.evicted",
                "Decisions deleted before their time, of the client networks with most",
                journal::evicted);
        gauges.registerTotal(
                "journal.keys.evicted",
                "Records of the key journal deleted before their time, of the client networks with most",
                keys::evicted);
        gauges.registerTotal("journal.keys.dropped", "Delivered messages whose keys were not recorded", keys::dropped);
        return gauges;
    }

    /// Begins to serve, to watch for newer snapshots and local entries, and to follow the publisher if there is
    /// one.
    ///
    /// @throws IOException when the address cannot be bound
    public void start() throws IOException {
        parts.add(http).start();
        warmUpExactTier();
        exact.start();
        tiers.snapshots().watch(SNAPSHOT_CHECK);
        tiers.layers().watch(LOCAL_CHECK);
        mirrorService.start();
        publisherService.start();
        stateFolders.start();
        exports.start();
        rebuilds.ifPresent(parts::add);
        rebuilds.filter(_ -> started.gateway().rebuild()).ifPresent(Rebuilds::start);
        rebuildWatch.start();
        parts.add(BackgroundTask.start("quarantine-index", quarantineIndex::load));
    }

    /// Looks up one key, so that the store is connected and its code loaded before the first suspect.
    private void warmUpExactTier() {
        if (started.exact().store() != ExactOptions.Store.EMBEDDED) {
            Key unlisted = new Key(KeyKind.DOMAIN, "first-query.invalid");
            try (LayerLease lease = tiers.layers().lease()) {
                lease.layers().forEach(layer -> layer.exact().lookup(List.of(unlisted), WARM_UP));
            }
        }
    }

    Conditions conditions() {
        return conditions;
    }

    /// @param current what is wrong with the delivery of mail, queried with each status
    void useMailConditions(Supplier<List<Condition>> current) {
        mailConditions = current;
    }

    /// @param group that this gateway exchanges its memory with
    void useExchange(Optional<MemoryExchange> group) {
        exchange = group;
    }

    StateWatch stateFolders() {
        return stateFolders;
    }

    Tiers tiers() {
        return tiers;
    }

    /// The recorder of every message, whichever listener receives it.
    MailRecords records() {
        return records;
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    GatewayMetrics metrics() {
        return metrics;
    }

    /// The part of a ready line: `http=127.0.0.1:8080 snapshot=20260102T030405Z-1a2b aot=used`.
    public String address() {
        try (LayerLease lease = tiers.layers().lease()) {
            String generations = lease.layers().stream().map(Layer::generation).collect(joining(","));
            if (generations.isEmpty()) {
                LOG.warn(
                        "no snapshot in {}: nothing is listed, and policy.onNoSnapshot applies to mail; {}",
                        started.snapshots(),
                        started.mirror().isEnabled()
                                ? "the first one comes from mirror.url"
                                : "run 'bloomgate rebuild', or with systemd 'systemctl start"
                                        + " bloomgate-rebuild@nightly'");
            }
            return "http=%s snapshot=%s aot=%s"
                    .formatted(
                            started.http().listen().withPort(http.port()),
                            generations.isEmpty() ? "none" : generations,
                            StartCache.ofThisProcess().label());
        }
    }

    @Override
    public List<String> reload(Configuration next, ConfigurationSource source) throws ConfigException {
        use(tiers.evaluator(next), ZoneUse.read(next));
        show(source);
        return apply(next);
    }

    @Override
    public void reloadEnded(boolean applied) {
        reloadRefused = !applied;
    }

    /// Applies the settings that are read at each use, and returns the changed keys that need a restart.
    List<String> apply(Configuration next) {
        operators.record(lastRead.http().operators(), next.http().operators());
        lastRead = next;
        intake.use(bounds(next));
        http.use(next.http());
        return ConfigReader.keysAwaitingRestart(started, next);
    }

    /// Shows the settings of the source of the current configuration.
    ///
    /// @throws ConfigException if it cannot be read any more
    public void show(ConfigurationSource source) throws ConfigException {
        settings = source.parse(System.getenv()).settings(Configuration.defaults());
    }

    /// Replaces the evaluator and the zones in use.
    synchronized void use(MessageEvaluator evaluator, ZoneUse zoneUse) {
        scan.setEvaluator(evaluator);
        values.setLookup(evaluator.lookup(), evaluator.phones());
        tiers.zones().use(zoneUse.confirmed(), zoneUse.lists());
    }

    @Override
    public void close() {
        parts.close();
    }
}
