package org.bloomgate.app.gateway.wiring;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.app.gateway.options.AtConnectFeeds;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ZoneUse;
import org.bloomgate.app.gateway.watch.UnreadableFilterLog;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.authentication.AuthenticationDns;
import org.bloomgate.decision.authentication.Authenticator;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.evaluation.Site;
import org.bloomgate.decision.memory.SiteMemory;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.lists.mirror.PublisherEntries;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.LiveSnapshots;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dnsbl.ZoneStatus;
import org.bloomgate.lookup.dnsbl.Zones;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The two tiers over the current snapshots, and the evaluation that uses them.
///
/// @param exact that the snapshots were opened with
/// @param zones that confirm listings of all layers
/// @param snapshots adopted when this was opened; a gateway lets them watch for newer ones
/// @param authenticationDns for DKIM and SPF of senders
/// @param layers the snapshots with the entries of operators, read when this was opened and watched likewise
public record Tiers(
        ExactTier exact,
        Zones zones,
        LiveSnapshots snapshots,
        LiveEntries layers,
        LookupCounts counts,
        AuthenticationDns authenticationDns,
        MessageEvaluator evaluator)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tiers.class);

    /// For a generation that the caller names: its age does not matter.
    private static final Duration ANY_AGE = Duration.ofDays(36_500);

    /// @throws IOException when the local entries, the keys of publishers or certificates to trust cannot be
    ///     read
    /// @throws ConfigException when the file of feeds cannot be used
    public static Tiers open(Configuration configuration) throws IOException, ConfigException {
        return open(configuration, Map.of(), configuration.smtp().maxSnapshotAge());
    }

    /// The same with this generation instead of the current one of its layer, whatever its age.
    ///
    /// @throws SnapshotRefusedException if there is no such generation, or it does not verify
    public static Tiers asOf(String generation, Configuration configuration) throws IOException, ConfigException {
        LayerDirectory layer = layerOf(generation, configuration.snapshots());
        Tiers tiers = open(configuration, Map.of(layer.name(), generation), ANY_AGE);
        LiveStatus status = tiers.snapshots().readStatus();
        if (status.layers().stream()
                .noneMatch(layerStatus -> layerStatus.generation().equals(generation))) {
            tiers.close();
            throw new SnapshotRefusedException(status.conditions().stream()
                    .filter(condition -> condition.generation().equals(generation))
                    .map(condition -> layer.name() + "/" + generation + ": " + condition.reason())
                    .findFirst()
                    .orElse(layer.name() + "/" + generation + ": no longer exists"));
        }
        return tiers;
    }

    private static LayerDirectory layerOf(String generation, Path snapshots) throws IOException {
        List<String> available = new ArrayList<>();
        for (LayerDirectory layer : LayerDirectory.listAll(snapshots)) {
            if (layer.listGenerations().contains(generation)) {
                return layer;
            }
            layer.listGenerations().forEach(name -> available.add(layer.name() + "/" + name));
        }
        throw new SnapshotRefusedException(
                "no layer has a generation " + generation + "; available: " + String.join(", ", available));
    }

    private static Tiers open(Configuration configuration, Map<String, String> pinned, Duration maxSnapshotAge)
            throws IOException, ConfigException {
        ZoneUse zoneUse = ZoneUse.read(configuration);
        ExactTier exact = ExactTier.of(configuration);
        DnsClient dns = new DnsClient(configuration.exact().dns());
        Zones zones = new Zones(dns, InstantSource.system());
        try {
            zones.use(zoneUse.confirmed(), zoneUse.lists());
            return open(configuration, exact, zones, new AuthenticationDns(dns), pinned, maxSnapshotAge);
        } catch (IOException | ConfigException | RuntimeException e) {
            zones.close();
            exact.close();
            throw e;
        }
    }

    private static Tiers open(
            Configuration configuration,
            ExactTier exact,
            Zones zones,
            AuthenticationDns authenticationDns,
            Map<String, String> pinned,
            Duration maxSnapshotAge)
            throws IOException, ConfigException {
        LookupCounts counts = new LookupCounts();
        InstantSource clock = InstantSource.system();
        LiveSnapshots snapshots = new LiveSnapshots(
                configuration.snapshots(),
                SnapshotReading.of(configuration),
                snapshot -> zones.over(exact.open(snapshot)),
                PublicSuffixes.bundled(),
                clock,
                pinned);
        return new Tiers(
                exact,
                zones,
                snapshots,
                local(configuration, snapshots, zones, clock),
                counts,
                authenticationDns,
                evaluator(configuration, counts, authenticationDns, maxSnapshotAge));
    }

    /// The evaluator for another configuration. Resolvers change only at a restart.
    ///
    /// @throws ConfigException when the file of feeds cannot be used
    MessageEvaluator evaluator(Configuration configuration) throws ConfigException {
        return evaluator(
                configuration, counts, authenticationDns, configuration.smtp().maxSnapshotAge());
    }

    private static MessageEvaluator evaluator(
            Configuration configuration,
            LookupCounts counts,
            AuthenticationDns authenticationDns,
            Duration maxSnapshotAge)
            throws ConfigException {
        InstantSource clock = InstantSource.system();
        Policy policy = new Policy(configuration.policy(), configuration.exact().onUnknown());
        Site site = new Site(
                configuration.smtp().ownNames(),
                configuration.smtp().access().clientNetworks(),
                AtConnectFeeds.read(configuration));
        Authenticator authenticator = new Authenticator(
                configuration.authentication(), configuration.smtp().access().loginDomains(), authenticationDns, clock);
        return new MessageEvaluator(
                new TwoTierLookup(configuration.exact().deadline(), counts, new UnreadableFilterLog()),
                new MessageEvaluator.Reading(new MessageReader(configuration.message())),
                new MessageEvaluator.ListenerRules(policy, maxSnapshotAge, site),
                new MessageEvaluator.SenderChecks(
                        ProtectedNames.read(configuration),
                        ProtectedNames.brands(configuration.protect()),
                        new MessageEvaluator.History(
                                SiteMemory.NONE,
                                ProtectedNames.popular(configuration),
                                configuration.smtp().access().loginDomains()),
                        authenticator,
                        configuration
                                .reports()
                                .toAddresses(configuration.smtp().access().loginDomains())),
                clock);
    }

    private static LiveEntries local(
            Configuration configuration, LiveSnapshots snapshots, Zones zones, InstantSource clock) throws IOException {
        try {
            LiveEntries entries = new LiveEntries(
                    snapshots, new LocalFile(configuration.local(), clock), zones::liveBlocklists, clock);
            if (configuration.mirror().isEnabled()) {
                share(configuration, entries, clock);
            }
            return entries;
        } catch (IOException e) {
            snapshots.close();
            throw e;
        }
    }

    /// Loads the stored entries of the publisher. The mirror reports a file that cannot be read, too.
    private static void share(Configuration configuration, LiveEntries entries, InstantSource clock) {
        try {
            Optional<PublisherEntries.AcceptedEntries> stored =
                    MirrorService.publisherEntries(configuration, clock).readStored();
            stored.ifPresent(accepted -> entries.share(accepted.entries()));
        } catch (IOException e) {
            LOG.warn("mirror: shared entries of the publisher not loaded: {}", IoText.describe(e));
        }
    }

    /// Whether any layer has a current snapshot, whole or not.
    public static boolean anySnapshot(Configuration configuration) throws IOException {
        for (LayerDirectory layer : LayerDirectory.listAll(configuration.snapshots())) {
            if (layer.readCurrent().isPresent()) {
                return true;
            }
        }
        return false;
    }

    /// The status of the snapshots, of local entries that differ from their file, and of zones that are not
    /// trusted.
    LiveStatus status() {
        LiveStatus status = snapshots.readStatus();
        List<Condition> conditions = new ArrayList<>();
        layers.fault().ifPresent(fault -> conditions.add(Condition.of(LocalRules.LAYER, fault.why(), fault.at())));
        zones.status().stream()
                .filter(zone -> zone.state() == ZoneStatus.State.FAILED)
                .map(zone -> Condition.of("zone " + zone.zone(), "zone-self-test: " + zone.fault(), zone.since()))
                .forEach(conditions::add);
        return status.with(conditions);
    }

    @Override
    public void close() {
        layers.close();
        snapshots.close();
        zones.close();
        exact.close();
    }
}
