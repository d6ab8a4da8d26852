package org.bloomgate.gateway;

import static java.util.stream.Collectors.toMap;

import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.bloomgate.disk.IoText;
import org.bloomgate.fleet.Fleet;
import org.bloomgate.fleet.FleetStanding;
import org.bloomgate.metrics.GatewayMetrics;
import org.bloomgate.snapshot.Announced;
import org.bloomgate.snapshot.LiveStatus;
import org.bloomgate.snapshot.SharedEntries;
import org.bloomgate.wire.MirrorReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The mirrors of this publisher beside what is in force here, for the page and for metrics. Thread-safe.
final class FleetWatch {
    private static final Logger LOG = LoggerFactory.getLogger(FleetWatch.class);

    private final FleetStanding standing;
    private final Map<String, String> tokens;
    private final InstantSource clock;

    /// @param status of what is in force here
    FleetWatch(Configuration configuration, Supplier<LiveStatus> status, InstantSource clock) {
        this.tokens = configuration.publisher().tokens();
        this.clock = clock;
        this.standing =
                new FleetStanding(new Fleet(tokens, clock), () -> here(configuration.snapshots(), status.get()));
    }

    FleetStanding standing() {
        return standing;
    }

    private static FleetStanding.Here here(Path snapshots, LiveStatus status) {
        return new FleetStanding.Here(
                status.layers().stream()
                        .collect(toMap(LiveStatus.LayerStatus::layer, LiveStatus.LayerStatus::generation)),
                said(() -> counter(snapshots)),
                said(() -> SharedEntries.counter(snapshots)));
    }

    private static Optional<Long> counter(Path snapshots) throws IOException {
        Optional<byte[]> octets = Announced.octets(snapshots);
        return octets.isPresent() ? Optional.of(Announced.of(octets.get()).counter()) : Optional.empty();
    }

    @FunctionalInterface
    private interface Said {
        Optional<Long> counter() throws IOException;
    }

    /// What cannot be read is said by who writes it.
    private static Optional<Long> said(Said said) {
        try {
            return said.counter();
        } catch (IOException unreadable) {
            LOG.debug("publisher: {}", IoText.told(unreadable));
            return Optional.empty();
        }
    }

    void show(GatewayMetrics metrics) {
        if (tokens.isEmpty()) {
            return;
        }
        for (String name : tokens.keySet()) {
            Tags tags = Tags.of("mirror", name);
            metrics.gauge(
                    "fleet.report.age.seconds",
                    "Since the mirror last reported; since 1970 when it did not since start",
                    tags,
                    () -> Duration.between(mirror(name).seen().orElse(Instant.EPOCH), clock.instant())
                            .toSeconds());
            metrics.gauge(
                    "fleet.behind",
                    "1 while the mirror has something else in force than this publisher, or never reported",
                    tags,
                    () -> isBehind(name) ? 1 : 0);
            shown(
                    metrics,
                    tags,
                    "fleet.ready",
                    "1 while the mirror says that it is ready",
                    name,
                    of -> of.ready() ? 1 : 0);
            shown(
                    metrics,
                    tags,
                    "fleet.faults",
                    "What keeps the mirror from following, or was refused there",
                    name,
                    of -> of.faults().size());
            shown(
                    metrics,
                    tags,
                    "fleet.counter",
                    "Counter of the newest statement that the mirror heard",
                    name,
                    of -> of.counter().orElse(0L));
        }
        metrics.total("fleet.reports.refused", "Reports of mirrors that came too soon", standing.fleet()::refused);
    }

    private void shown(
            GatewayMetrics metrics,
            Tags tags,
            String metric,
            String description,
            String mirror,
            ToLongFunction<MirrorReport> value) {
        Function<MirrorReport, Number> boxed = value::applyAsLong;
        metrics.gauge(
                metric,
                description,
                tags,
                () -> mirror(mirror).report().map(boxed).orElse(0L));
    }

    private Fleet.Mirror mirror(String name) {
        return standing.fleet().mirror(name);
    }

    private boolean isBehind(String name) {
        FleetStanding.Here here = standing.here();
        return mirror(name).isBehind(here.generations(), here.listings());
    }
}
