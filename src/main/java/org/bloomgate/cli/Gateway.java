package org.bloomgate.cli;

import static java.util.stream.Collectors.joining;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.config.ConfigError;
import org.bloomgate.config.ConfigException;
import org.bloomgate.config.ConfigReader;
import org.bloomgate.config.Configuration;
import org.bloomgate.http.GatewayMetrics;
import org.bloomgate.http.HttpListener;
import org.bloomgate.http.MessageScan;
import org.bloomgate.http.ValueCheck;
import org.bloomgate.journal.HourlyKeyJournal;
import org.bloomgate.journal.JsonDecisionJournal;
import org.bloomgate.journal.KeyJournal;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.remote.ConfirmedFeed;
import org.bloomgate.smtp.ChangeableNextHop;
import org.bloomgate.smtp.NextHop;
import org.bloomgate.smtp.NextHops;
import org.bloomgate.smtp.Relay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running gateway: everything wired, closed in the reverse order, the relay first, so that mail under way still
/// finds its
/// next hop, its journal and its filters.
final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    private static final Duration SNAPSHOT_CHECK = Duration.ofSeconds(1);
    private static final Duration LOCAL_CHECK = Duration.ofMillis(250);

    private Configuration configuration;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Tiers tiers;
    private final ChangeableNextHop nextHop;
    private final Relay relay;
    private final ValueCheck values;
    private final MessageScan scan;
    private final HttpListener http;

    static Gateway start(Configuration configuration) throws IOException, ConfigException {
        return new Gateway(configuration);
    }

    private Gateway(Configuration configuration) throws IOException, ConfigException {
        this.configuration = configuration;
        InstantSource clock = InstantSource.system();
        try {
            tiers = part(Tiers.open(configuration));
            JsonDecisionJournal journal = part(new JsonDecisionJournal(configuration.journal(), clock));
            HourlyKeyJournal keys =
                    part(new HourlyKeyJournal(configuration.journal().keys(), clock));
            nextHop = part(new ChangeableNextHop(nextHop(configuration)));
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            GatewayMetrics metrics = part(metrics(registry, journal, clock));
            tiers.zones().bindTo(registry);
            metrics.total("journal.keys.dropped", "Delivered mails whose keys were not recorded", keys::dropped);
            values = new ValueCheck(tiers.layers(), tiers.lookup());
            scan = new MessageScan(tiers.layers(), tiers.lookup(), tiers.policy(), tiers.reader());
            http = part(http(journal, metrics, clock)).start();
            relay = part(relay(journal, keys, registry, clock));
            relay.start();
            tiers.snapshots().watch(SNAPSHOT_CHECK);
            tiers.layers().watch(LOCAL_CHECK);
        } catch (IOException | ConfigException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T part(T part) {
        parts.push(part);
        return part;
    }

    private GatewayMetrics metrics(PrometheusMeterRegistry registry, JsonDecisionJournal journal, InstantSource clock) {
        GatewayMetrics metrics = new GatewayMetrics(registry, tiers.layers(), clock);
        metrics.lookups(tiers.counts());
        metrics.snapshots(tiers::status);
        metrics.local(tiers.layers());
        metrics.total("journal.dropped", "Decisions that the journal could not keep", journal::dropped);
        return metrics;
    }

    private HttpListener http(JsonDecisionJournal journal, GatewayMetrics metrics, InstantSource clock)
            throws IOException {
        return new HttpListener(
                configuration.http(),
                tiers.layers(),
                configuration.snapshots(),
                tiers::status,
                values,
                scan,
                journal,
                metrics,
                clock);
    }

    private static NextHop nextHop(Configuration configuration) throws IOException {
        return NextHops.open(configuration.nextHop(), configuration.nextHopOptions());
    }

    private Relay relay(
            JsonDecisionJournal journal, KeyJournal keys, PrometheusMeterRegistry registry, InstantSource clock)
            throws IOException {
        return new Relay(
                configuration.smtp(),
                nextHop,
                tiers.lookup(),
                tiers.layers(),
                tiers.policy(),
                tiers.reader(),
                journal,
                keys,
                registry,
                clock);
    }

    /// `ready smtp=127.0.0.1:2525 http=127.0.0.1:8080 snapshot=20260102T030405Z-1a2b`; every further listener stands
    /// behind the first as `smtp.NAME=ADDRESS`.
    String readyLine() {
        try (LayerLease lease = tiers.layers().lease()) {
            String generations = lease.layers().stream().map(Layer::generation).collect(joining(","));
            String smtp = relay.addresses().entrySet().stream()
                    .map(listener -> listener.getKey() + "=" + listener.getValue())
                    .collect(joining(" "));
            return "ready %s http=%s:%d snapshot=%s"
                    .formatted(
                            smtp,
                            hostOf(configuration.http().listen()),
                            http.port(),
                            generations.isEmpty() ? "none" : generations);
        }
    }

    /// Takes over another configuration while it runs, all of it or nothing: for new sessions at once, for those under
    /// way from their next transaction on.
    ///
    /// @return the keys whose new value waits for a restart
    /// @throws ConfigException when it cannot be used, with every reason
    /// @throws IOException when a next hop or a directory cannot be opened
    synchronized List<String> reload(Configuration next, Path file) throws ConfigException, IOException {
        List<ConfigError> problems = relay.problems(next.smtp()).stream()
                .map(problem -> new ConfigError(file.toString(), problem))
                .toList();
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        List<ConfirmedFeed> confirmed = ConfirmedFeeds.read(next);
        Set<String> changed = ConfigReader.changed(configuration, next);
        Judging judging = Judging.of(next, tiers.counts());
        Optional<NextHop> other = changed.stream().anyMatch(key -> key.startsWith("nextHop"))
                ? Optional.of(nextHop(next))
                : Optional.empty();
        List<String> waiting =
                new ArrayList<>(changed.stream().filter(Gateway::readAtStart).toList());
        try {
            waiting.addAll(relay.reload(next.smtp(), judging.lookup(), judging.policy(), judging.reader()));
        } catch (IOException e) {
            other.ifPresent(NextHop::close);
            throw e;
        }
        other.ifPresent(nextHop::change);
        scan.use(judging.lookup(), judging.policy(), judging.reader());
        values.use(judging.lookup());
        tiers.zones().use(confirmed);
        configuration = next;
        return waiting;
    }

    private static boolean readAtStart(String key) {
        return key.equals("snapshots")
                || key.equals("snapshotKey")
                || (key.startsWith("exact.") && !key.startsWith("exact.onUnknown") && !key.equals("exact.deadline"))
                || key.startsWith("http.")
                || key.startsWith("journal.")
                || key.startsWith("local.");
    }

    private static String hostOf(String listen) {
        return listen.substring(0, listen.lastIndexOf(':'));
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.error("{} did not close", part.getClass().getSimpleName(), e);
            }
        }
    }
}
