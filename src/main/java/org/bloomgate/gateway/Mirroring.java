package org.bloomgate.gateway;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.metrics.GatewayMetrics;
import org.bloomgate.mirror.Mirror;
import org.bloomgate.mirror.MirrorOptions;
import org.bloomgate.snapshot.LiveStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The mirror of a service, when it is to follow a publisher, and what others show of it.
public final class Mirroring implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mirroring.class);

    private final Optional<Mirror> mirror;
    private final InstantSource clock;

    private Mirroring(Optional<Mirror> mirror, InstantSource clock) {
        this.mirror = mirror;
        this.clock = clock;
    }

    /// @throws IOException when keys or certificates to trust cannot be read
    static Mirroring of(Configuration configuration, InstantSource clock) throws IOException {
        return new Mirroring(
                configuration.mirror().enabled() ? Optional.of(mirror(configuration, clock)) : Optional.empty(), clock);
    }

    /// @throws IOException when keys or certificates to trust cannot be read
    public static Mirror mirror(Configuration configuration, InstantSource clock) throws IOException {
        MirrorOptions options = configuration.mirror();
        if (options.url().startsWith("http:") && configuration.snapshotKey().isEmpty()) {
            LOG.warn("mirror: plain http and no snapshotKey: whoever is on the way decides what is listed here");
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
    }

    /// The status with the faults of the mirror that stand.
    LiveStatus with(LiveStatus status) {
        if (mirror.isEmpty()) {
            return status;
        }
        Mirror.Status mirrored = mirror.get().status();
        return new LiveStatus(
                        status.layers(),
                        status.refusals(),
                        status.refusedTotal(),
                        Optional.of(mirrored.following()),
                        status.unready())
                .with(mirrored.faults());
    }

    void show(GatewayMetrics metrics) {
        mirror.ifPresent(following -> {
            metrics.gauge(
                    "mirror.answer.age.seconds",
                    "Since the publisher last said what is current; since 1970 when it never did",
                    () -> Duration.between(
                                    following.status().following().answered().orElse(Instant.EPOCH), clock.instant())
                            .toSeconds());
            metrics.gauge(
                    "mirror.counter",
                    "Counter of the newest statement of the publisher; 0 when it makes none",
                    () -> following.status().following().counter().orElse(0L));
            metrics.gauge(
                    "mirror.expired",
                    "1 when the newest statement of the publisher has expired",
                    () -> following.status().following().expired() ? 1 : 0);
            metrics.gauge(
                    "mirror.faults.standing",
                    "Faults that keep the mirror from following",
                    () -> following.status().faults().size());
            metrics.total(
                    "mirror.faults",
                    "Rounds and layers that ended with a fault",
                    () -> following.status().faultsTotal());
            metrics.total(
                    "mirror.fetched",
                    "Snapshots fetched",
                    () -> following.status().fetchedTotal());
        });
    }

    @Override
    public void close() {
        mirror.ifPresent(Mirror::close);
    }
}
