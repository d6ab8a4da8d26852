package org.bloomgate.app.gateway.watch;

import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.Staleness;
import org.bloomgate.lists.layer.Staleness.BuiltLayer;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.metrics.GatewayMetrics;

/// Reads the outcomes of the rebuilds on this machine, whether a timer, an operator or this gateway started them.
/// Notes the layers whose last rebuild or rollback did not succeed, and those that are stale. Thread-safe.
public final class RebuildWatch implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(5);

    /// The feeds file and its folder are read less often than the times are compared.
    private static final Duration READ_FEEDS = Duration.ofMinutes(1);

    /// The outcomes after which nothing of the rebuild is in force.
    private static final Set<String> UNPUBLISHED = Set.of(PastRebuild.FAILED, RebuildOutcome.GATE_CLOSED.label());

    private final Supplier<Configuration> configuration;
    private final RebuildHistory history;
    private final Supplier<LiveStatus> snapshots;
    private final Conditions conditions;
    private final InstantSource clock;
    private Instant feedsReadAt = Instant.MIN;
    private List<Feed> feeds = List.of();
    private Set<String> notedSubjects = Set.of();
    private volatile Set<String> staleLayers = Set.of();
    private Optional<BackgroundTask> rounds = Optional.empty();

    /// @param configuration the last one read
    /// @param snapshots the layers in force
    public RebuildWatch(
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
        rounds = Optional.of(BackgroundTask.every(ROUND, "rebuild-history", this::round));
    }

    public synchronized void round() {
        history.refresh();
        Instant now = clock.instant();
        List<LayerStatus> inForce = snapshots.get().layers();
        List<Condition> current = new ArrayList<>();
        history.findLastRebuilds()
                .values()
                .forEach(last -> findFault("rebuild", last).ifPresent(current::add));
        history.findLastRollbacks()
                .values()
                .forEach(last -> findFault("rollback", last).ifPresent(current::add));
        Map<String, String> stale = findStale(inForce, now);
        stale.forEach(
                (layer, reason) -> current.add(new Condition("layer " + layer, layer, "", "stale: " + reason, now)));
        current.forEach(one -> conditions.note(one, inForce));
        Set<String> subjects = current.stream().map(Condition::subject).collect(Collectors.toSet());
        notedSubjects.stream().filter(subject -> !subjects.contains(subject)).forEach(conditions::clear);
        notedSubjects = subjects;
        staleLayers = stale.keySet();
    }

    /// Anyone may read it, so it does not contain names of feeds or files.
    private static Optional<Condition> findFault(String work, PastRebuild last) {
        String generation = UNPUBLISHED.contains(last.outcome()) ? "" : last.generation();
        String reason = "the last " + work + " ended with status " + last.status() + ", " + last.outcome()
                + ": 'bloomgate history' says why";
        return last.status() == 0
                ? Optional.empty()
                : Optional.of(new Condition(work + " " + last.layer(), last.layer(), generation, reason, last.time()));
    }

    private Map<String, String> findStale(List<LayerStatus> inForce, Instant now) {
        if (!now.isBefore(feedsReadAt.plus(READ_FEEDS))) {
            feedsReadAt = now;
            readFeeds();
        }
        return Staleness.find(
                inForce.stream().collect(Collectors.toMap(LayerStatus::layer, BuiltLayer::of)),
                feeds,
                history.findLastRebuilds(),
                now);
    }

    /// The feeds read before stay while the file has an error.
    private void readFeeds() {
        try {
            feeds = ConfigurationSource.locallyBuilt(configuration.get());
            conditions.clear("feeds");
        } catch (ConfigException e) {
            conditions.note("feeds", "cannot be read: 'bloomgate config check' says why");
        }
    }

    public void show(GatewayMetrics metrics) {
        for (Cadence cadence : Cadence.values()) {
            Tags layer = Tags.of("layer", cadence.layer());
            metrics.registerGauge(
                    "rebuild.last.status",
                    "Exit status of the last rebuild of the layer; -1 when none is known",
                    layer,
                    () -> last(cadence).map(PastRebuild::status).orElse(-1));
            metrics.registerGauge(
                    "layer.stale",
                    "1 while the layer or a feed in it is older than three cadences, was never built, or is not rebuilt",
                    layer,
                    () -> staleLayers.contains(cadence.layer()) ? 1 : 0);
        }
        metrics.registerAges(
                "rebuild.last.age.seconds",
                "Since the last rebuild of the layer ended; absent when none is known",
                () -> history.findLastRebuilds().values().stream()
                        .collect(Collectors.toMap(last -> Tags.of("layer", last.layer()), PastRebuild::time)));
    }

    private Optional<PastRebuild> last(Cadence cadence) {
        return Optional.ofNullable(history.findLastRebuilds().get(cadence.layer()));
    }

    @Override
    public void close() {
        rounds.ifPresent(BackgroundTask::close);
    }
}
