package org.bloomgate.app.gateway.wiring;

import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.mirror.Mirror;
import org.bloomgate.lists.mirror.MirrorOptions;
import org.bloomgate.lists.mirror.PublisherEntries;
import org.bloomgate.lists.mirror.SharedEntriesFollower;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Following;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The mirror of a service, if it follows a publisher, with its metrics and status.
public final class MirrorService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MirrorService.class);

    private final Optional<Mirror> mirror;
    private final Optional<SharedEntriesFollower> entries;
    private final InstantSource clock;

    private MirrorService(Optional<Mirror> mirror, Optional<SharedEntriesFollower> entries, InstantSource clock) {
        this.mirror = mirror;
        this.entries = entries;
        this.clock = clock;
    }

    /// @param receiver gets the entries of the publisher's operators
    /// @throws IOException when keys or certificates to trust cannot be read
    static MirrorService of(Configuration configuration, Consumer<LocalEntries> receiver, InstantSource clock)
            throws IOException {
        MirrorOptions options = configuration.mirror();
        if (!options.isEnabled()) {
            return new MirrorService(Optional.empty(), Optional.empty(), clock);
        }
        SharedEntriesFollower entries = entries(configuration, receiver, clock);
        return new MirrorService(Optional.of(mirror(configuration, clock)), Optional.of(entries), clock);
    }

    /// The follower of the entries of the publisher's operators.
    ///
    /// @throws IOException when keys or certificates to trust cannot be read
    public static SharedEntriesFollower entries(
            Configuration configuration, Consumer<LocalEntries> receiver, InstantSource clock) throws IOException {
        return new SharedEntriesFollower(
                configuration.mirror(), publisherEntries(configuration, clock), receiver, clock);
    }

    /// The publisher's entries as this machine accepts them.
    ///
    /// @throws IOException when keys cannot be read
    static PublisherEntries publisherEntries(Configuration configuration, InstantSource clock) throws IOException {
        return new PublisherEntries(
                configuration.snapshots(),
                SnapshotReading.of(configuration),
                configuration.mirror().exceptions(),
                () -> gates(configuration),
                clock);
    }

    private static ListingGates gates(Configuration configuration) throws IOException {
        try {
            return Rebuilding.ownListingGates(configuration);
        } catch (ConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// @throws IOException when keys or certificates to trust cannot be read
    public static Mirror mirror(Configuration configuration, InstantSource clock) throws IOException {
        MirrorOptions options = configuration.mirror();
        if (options.url().startsWith("http:") && configuration.snapshotKey().isEmpty()) {
            LOG.warn("mirror: plain http without snapshotKey: anyone on the network path can change the lists");
        }
        return new Mirror(
                options,
                configuration.snapshots(),
                SnapshotReading.of(configuration),
                configuration.rebuild().keepGenerations(),
                clock);
    }

    void start() {
        mirror.ifPresent(Mirror::start);
        entries.ifPresent(SharedEntriesFollower::start);
    }

    /// The progress of following the publisher; empty without a publisher.
    Optional<Following> following() {
        return mirror.map(following -> following.readStatus().following());
    }

    /// The current faults of the mirror.
    List<Condition> faults() {
        return Stream.concat(
                        mirror.stream().flatMap(following -> following.readStatus().faults().stream()),
                        entries.stream().flatMap(following -> following.readStatus().faults().stream()))
                .toList();
    }

    void show(GatewayMetrics metrics) {
        entries.ifPresent(following -> showEntries(metrics, following));
        mirror.ifPresent(following -> {
            metrics.registerAge(
                    "mirror.answer.age.seconds",
                    "Time since the last statement of the publisher; absent if there was none",
                    () -> following.readStatus().following().lastAnswerAt());
            metrics.registerGauge(
                    "mirror.counter",
                    "Counter of the newest statement of the publisher; 0 before the first one",
                    () -> following.readStatus().following().counter().orElse(0L));
            metrics.registerGauge(
                    "mirror.expired",
                    "1 when the newest statement of the publisher has expired",
                    () -> following.readStatus().following().expired() ? 1 : 0);
            metrics.registerGauge(
                    "mirror.faults.standing",
                    "Faults that keep the mirror from following",
                    () -> following.readStatus().faults().size());
            metrics.registerTotal(
                    "mirror.faults",
                    "Rounds and layers that ended with a fault",
                    () -> following.readStatus().faultsTotal());
            metrics.registerTotal(
                    "mirror.fetched",
                    "Snapshots fetched",
                    () -> following.readStatus().fetchedTotal());
        });
    }

    private void showEntries(GatewayMetrics metrics, SharedEntriesFollower following) {
        metrics.registerAge(
                "mirror.listings.answer.age.seconds",
                "Since the last answer of the publisher with its operators' entries; absent before the first one",
                () -> following.readStatus().lastAnswerAt());
        metrics.registerGauge(
                "mirror.listings.counter",
                "Counter of the publisher's entries in use; 0 when there are none",
                () -> following.readStatus().counter().orElse(0L));
        metrics.registerGauge(
                "mirror.listings.entries",
                "Entries of the publisher's operators in use",
                Tags.of("type", "listing"),
                () -> following.readStatus().listings());
        metrics.registerGauge(
                "mirror.listings.entries",
                "Entries of the publisher's operators in use",
                Tags.of("type", "exception"),
                () -> following.readStatus().exceptions());
        metrics.registerGauge(
                "mirror.listings.left.out",
                "Entries of the publisher's operators that are not used",
                () -> following.readStatus().leftOut());
        metrics.registerGauge(
                "mirror.listings.expired",
                "1 when the publisher's statement of its operators' entries has expired",
                () -> following
                                .readStatus()
                                .expires()
                                .filter(clock.instant()::isAfter)
                                .isPresent()
                        ? 1
                        : 0);
    }

    @Override
    public void close() {
        entries.ifPresent(SharedEntriesFollower::close);
        mirror.ifPresent(Mirror::close);
    }
}
