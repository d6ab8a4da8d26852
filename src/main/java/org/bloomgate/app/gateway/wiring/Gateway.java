package org.bloomgate.app.gateway.wiring;

import static java.util.stream.Collectors.joining;

import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationNotes;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.options.StateFolder;
import org.bloomgate.app.gateway.options.ZoneUse;
import org.bloomgate.app.gateway.watch.CachedGauges;
import org.bloomgate.base.concurrent.ResourceStack;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.memory.MemorySet;
import org.bloomgate.decision.memory.SiteMemory;
import org.bloomgate.decision.reports.AutomaticListing;
import org.bloomgate.lists.mirror.MemoryExchange;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.server.dns.DnsListener;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.bloomgate.server.milter.Milter;
import org.bloomgate.server.milter.MilterAddress;
import org.bloomgate.server.milter.MilterSettings;
import org.bloomgate.server.nexthop.ChangeableNextHop;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.nexthop.NextHops;
import org.bloomgate.server.smtp.Relay;
import org.bloomgate.server.smtp.RelayOptions;
import org.bloomgate.server.spool.MailRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running gateway: the endpoint and its listeners. They are closed in reverse order, the listeners for mail first,
/// so that messages in progress still have their next hop, journal and filters.
public final class Gateway implements Reload.Running, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private final ResourceStack parts = new ResourceStack();
    private final Configuration started;
    private Configuration configuration;
    private final Endpoint endpoint;
    private final SiteMemory memory;
    private final Optional<MemoryExchange> exchange;
    private final MailRecords records;
    private final ChangeableNextHop nextHop;
    private final Relay relay;
    private final Optional<Milter> milter;
    private final Optional<DnsListener> dns;

    public static Gateway start(Configuration configuration) throws IOException, ConfigException {
        return start(configuration, Optional.empty());
    }

    /// @param rebuilds started by this gateway
    public static Gateway start(Configuration configuration, Optional<Rebuilds> rebuilds)
            throws IOException, ConfigException {
        return new Gateway(configuration, rebuilds);
    }

    private Gateway(Configuration configuration, Optional<Rebuilds> rebuilds) throws IOException, ConfigException {
        this.started = configuration;
        this.configuration = configuration;
        InstantSource clock = InstantSource.system();
        try {
            endpoint = parts.add(Endpoint.open(configuration, rebuilds));
            parts.add(new CachedGauges(configuration, clock)).show(endpoint.metrics());
            memory = parts.add(openMemory(configuration, clock));
            show(memory, endpoint.metrics());
            MessageEvaluator evaluator = endpoint.tiers().evaluator().withParts(memory);
            endpoint.use(evaluator, ZoneUse.read(configuration));
            nextHop = parts.add(new ChangeableNextHop(nextHop(configuration)));
            exchange = memory.group().isPresent()
                    ? Optional.of(parts.add(new MemoryExchange(
                            memory.group().get(), configuration.memory().group().orElseThrow(), clock)))
                    : Optional.empty();
            endpoint.useExchange(exchange);
            endpoint.useMailConditions(this::listMailConditions);
            endpoint.start();
            parts.add(endpoint.startAutomaticListing());
            exchange.ifPresent(MemoryExchange::start);
            records = endpoint.records().withReports(parts.add(endpoint.openReports(clock)));
            relay = parts.add(relay(evaluator));
            milter = milter(evaluator);
            relay.start();
            milter.ifPresent(Milter::start);
            dns = dns(clock);
        } catch (IOException | ConfigException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private List<Condition> listMailConditions() {
        Stream<Condition> refusals =
                nextHop.refusals().stream().map(refusal -> Condition.of("nextHop", refusal.text(), refusal.since()));
        Stream<Condition> losses = memory.listLosses().stream()
                .map(loss -> Condition.of(
                        "memory." + loss.part(), "nothing is called new for 14 days: " + loss.reason(), loss.since()));
        Stream<Condition> bursts = memory.senders().stream()
                .flatMap(senders -> senders.listBursts().entrySet().stream())
                .map(burst -> Condition.of(
                        "user " + burst.getKey(),
                        "newRecipients: more new recipients than policy.newRecipients allows; its action applies to"
                                + " further ones",
                        burst.getValue()));
        Stream<Condition> reported = AutomaticListing.listActive(
                        endpoint.tiers().layers())
                .stream()
                .map(entry -> Condition.of(
                        "reports " + entry.key().text(),
                        "listed automatically; if that is wrong, remove the listing",
                        entry.terms().added()));
        Stream<Condition> faults = exchange.stream().flatMap(others -> others.listFaults().stream());
        return Stream.of(refusals, losses, bursts, reported, faults)
                .flatMap(one -> one)
                .toList();
    }

    /// A fault only turns the memory off: without it a message merely lacks header fields.
    private SiteMemory openMemory(Configuration configured, InstantSource clock) {
        SiteMemory.Options use = configured.memory().use(configured.smtp().hostname());
        if (!use.isActive()) {
            return SiteMemory.NONE;
        }
        try {
            return new SiteMemory(configured.memory().folder(), use, clock);
        } catch (IOException | RuntimeException e) {
            endpoint.conditions().note("memory", "off: " + IoText.describe(e));
            return SiteMemory.NONE;
        }
    }

    private static void show(SiteMemory memory, GatewayMetrics metrics) {
        for (MemorySet set : MemorySet.values()) {
            metrics.registerGauge(
                    "memory.keys",
                    "Keys that the memory has, estimated",
                    Tags.of("set", set.label()),
                    () -> memory.countKeys(set));
            metrics.registerGauge(
                    "memory.rate",
                    "Share of new keys that the memory takes for old ones",
                    Tags.of("set", set.label()),
                    () -> memory.predictedRate(set));
        }
        metrics.registerGauge(
                "memory.bursts",
                "Users of the site who have reached a limit of policy.newRecipients",
                () -> memory.senders()
                        .map(senders -> senders.listBursts().size())
                        .orElse(0));
        metrics.registerTotal(
                "memory.forgotten",
                "Keys that were not remembered: too many in all, or too many new ones of one client",
                memory::countForgotten);
    }

    private static NextHop nextHop(Configuration configuration) throws IOException {
        return NextHops.open(configuration.nextHop(), configuration.nextHopOptions());
    }

    private Relay relay(MessageEvaluator evaluator) throws IOException {
        ConfigurationNotes.privateClients(configuration.smtp().access()).ifPresent(LOG::warn);
        Tiers tiers = endpoint.tiers();
        return new Relay(configuration.smtp(), nextHop, tiers.layers(), evaluator, records, endpoint.registry());
    }

    private Optional<Milter> milter(MessageEvaluator evaluator) throws IOException {
        Optional<MilterAddress> listen = configuration.milter().listen();
        return listen.isEmpty()
                ? Optional.empty()
                : Optional.of(parts.add(new Milter(
                        listen.get(),
                        milterSettings(configuration.smtp()),
                        endpoint.tiers().layers(),
                        evaluator,
                        records,
                        relay.memory(),
                        endpoint.registry())));
    }

    private static MilterSettings milterSettings(RelayOptions smtp) {
        return new MilterSettings(
                smtp.access().clientNetworks(),
                smtp.sessions().maxSessions(),
                smtp.limits().maxMessageBytes(),
                smtp.timeouts().drain(),
                smtp.messages());
    }

    private Optional<DnsListener> dns(InstantSource clock) throws IOException {
        Optional<ListenAddress> listen = configuration.dns().listen();
        return listen.isEmpty()
                ? Optional.empty()
                : Optional.of(parts.add(new DnsListener(
                        listen.get(),
                        configuration.dns(),
                        configuration.smtp().hostname(),
                        endpoint.tiers().layers(),
                        endpoint.tiers().evaluator(),
                        endpoint.registry(),
                        clock)));
    }

    /// The ready line: `ready smtp=127.0.0.1:2525 http=127.0.0.1:8080 snapshot=20260102T030405Z-1a2b aot=used`;
    /// further listeners follow the first as `smtp.NAME=ADDRESS`, then `milter=ADDRESS` and `dns=ADDRESS` if
    /// configured.
    public String readyLine() {
        String smtp = relay.addresses().entrySet().stream()
                .map(listener -> listener.getKey() + "=" + listener.getValue())
                .collect(joining(" "));
        String milterPart =
                milter.map(listener -> " milter=" + listener.address()).orElse("");
        String dnsPart = dns.map(listener -> " dns=" + listener.address()).orElse("");
        return "ready " + smtp + milterPart + dnsPart + " " + endpoint.address();
    }

    /// The reason why the gateway is not ready; empty if it is.
    public Optional<String> notReady() {
        try (LayerLease lease = endpoint.tiers().layers().lease()) {
            return endpoint.status().explainUnreadiness(!lease.layers().isEmpty());
        }
    }

    /// Applies to new sessions at once, and to sessions in progress from their next transaction.
    @Override
    public synchronized List<String> reload(Configuration next, ConfigurationSource source)
            throws ConfigException, IOException {
        RelayOptions smtp = next.smtp().withFoldersOf(started.smtp());
        source.requireNone(Stream.concat(
                        relay.findProblems(next.smtp()).stream(),
                        milter
                                .flatMap(listener -> listener.findProblem(
                                        next.smtp().access().clientNetworks()))
                                .stream())
                .toList());
        ZoneUse zoneUse = ZoneUse.read(next);
        MessageEvaluator evaluator = endpoint.tiers().evaluator(next).withParts(memory);
        boolean sameNextHop = next.nextHop().equals(configuration.nextHop())
                && next.nextHopOptions().equals(configuration.nextHopOptions());
        Optional<NextHop> newNextHop = sameNextHop ? Optional.empty() : Optional.of(nextHop(next));
        try {
            if (milter.isPresent()) {
                milter.get().reload(milterSettings(smtp), evaluator);
            }
            relay.reload(smtp, evaluator);
        } catch (IOException e) {
            newNextHop.ifPresent(NextHop::close);
            throw e;
        }
        newNextHop.ifPresent(nextHop::change);
        dns.ifPresent(listener -> listener.use(next.dns(), evaluator));
        endpoint.use(evaluator, zoneUse);
        endpoint.stateFolders().use(StateFolder.ofGateway(started, next.nextHop()));
        configuration = next;
        endpoint.show(source);
        return endpoint.apply(next);
    }

    /// Shows the settings of the source that the current configuration was read from.
    ///
    /// @throws ConfigException when it cannot be read any more
    public void show(ConfigurationSource source) throws ConfigException {
        endpoint.show(source);
    }

    @Override
    public void reloadEnded(boolean applied) {
        endpoint.reloadEnded(applied);
    }

    @Override
    public void close() {
        parts.close();
    }
}
