package org.bloomgate.app.gateway.watch;

import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.layer.BuiltLayer;
import org.bloomgate.lists.layer.Staleness;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.metrics.GatewayMetrics;

/// Notes the layers in force that are stale, as [Staleness] says. Thread-safe.
public final class StaleWatch implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(5);

    /// The feeds file and its folder are read less often than the time is compared.
    private static final Duration READ_FEEDS = Duration.ofMinutes(1);

    private final Supplier<Configuration> configuration;
    private final RebuildHistory history;
    private final Supplier<LiveStatus> snapshots;
    private final Conditions conditions;
    private final InstantSource clock;
    private Instant feedsReadAt = Instant.MIN;
    private List<Feed> feeds = List.of();
    private volatile Map<String, String> stale = Map.of();
    private Optional<BackgroundTask> rounds = Optional.empty();

    /// @param configuration the last one read
    /// @param snapshots the layers in force
    public StaleWatch(
            Supplier<Configuration> configuration,
            RebuildHistory history,
            Supplier<LiveStatus> snapshots,
            Conditions conditions,
            InstantSource clock) {
        this.configuration = configuration;
        this.history = history;
        this.snapshots = snapshots;
        this.conditions = conditions;
        this.clock = clock;
        round();
    }

    public void start() {
        rounds = Optional.of(BackgroundTask.every(ROUND, "stale-layers", this::round));
    }

    public synchronized void round() {
        Instant now = clock.instant();
        List<LayerStatus> inForce = snapshots.get().layers();
        Map<String, String> current = Staleness.find(
                inForce.stream().collect(Collectors.toMap(LayerStatus::layer, BuiltLayer::of)), findRebuilds(now), now);
        for (Cadence cadence : Cadence.values()) {
            String layer = cadence.layer();
            if (current.containsKey(layer)) {
                Condition condition = new Condition("layer " + layer, layer, "", "stale: " + current.get(layer), now);
                conditions.note(condition, condition.describeEffect(inForce));
            } else {
                conditions.clear("layer " + layer);
            }
        }
        stale = current;
    }

    private Optional<Staleness.LocalRebuilds> findRebuilds(Instant now) {
        if (configuration.get().mirror().isEnabled()) {
            return Optional.empty();
        }
        if (!now.isBefore(feedsReadAt.plus(READ_FEEDS))) {
            readFeeds();
            feedsReadAt = now;
        }
        history.refresh();
        return Optional.of(Staleness.LocalRebuilds.of(feeds, history));
    }

    /// The feeds read before stay while the file has an error.
    private void readFeeds() {
        try {
            feeds = ConfigurationSource.feedsIfThere(configuration.get())
                    .fetched()
                    .feeds();
            conditions.clear("feeds");
        } catch (ConfigException e) {
            conditions.note("feeds", "cannot be read: 'bloomgate config check' says why");
        }
    }

    public void show(GatewayMetrics metrics) {
        for (Cadence cadence : Cadence.values()) {
            metrics.gauge(
                    "layer.stale",
                    "1 while the layer or a feed in it is older than three cadences, was never built, or is not rebuilt",
                    Tags.of("layer", cadence.layer()),
                    () -> stale.containsKey(cadence.layer()) ? 1 : 0);
        }
    }

    @Override
    public void close() {
        rounds.ifPresent(BackgroundTask::close);
    }
}
