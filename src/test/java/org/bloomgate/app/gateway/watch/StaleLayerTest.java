package org.bloomgate.app.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.RecordCopy;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.lists.snapshot.Conditions;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.lists.snapshot.Snapshots;
import org.bloomgate.server.api.SmallLayer;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleLayerTest {
    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");

    @TempDir
    private Path folder;

    private Instant now = NOON;
    private LiveStatus inForce = new LiveStatus(List.of(), List.of(), 0);

    @Test
    void staleLayer_isAConditionAndAMetricUntilItIsRenewed() throws IOException {
        Files.writeString(
                folder.resolve("feeds.yaml"),
                "feeds: [{ name: a, kind: domain, format: lines, cadence: hourly, source: a.txt }]");
        Configuration configuration = RecordCopy.with(Configuration.defaults(), "feeds", folder.resolve("feeds.yaml"));
        Conditions conditions = new Conditions("service", () -> now);
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (GatewayMetrics metrics = new GatewayMetrics(registry, SmallLayer.none(), () -> now);
                RebuildWatch watch = new RebuildWatch(
                        () -> configuration, new RebuildHistory(folder), () -> inForce, conditions, () -> now)) {
            watch.show(metrics);
            assertEquals(
                    "layer hourly: stale: never built: a; no rebuild so far: bloomgate-rebuild@hourly.timer"
                            + " or gateway.rebuild starts them (no snapshot of hourly is in force)",
                    conditions.list().getFirst().describe(inForce.layers()));
            assertEquals(1, stale(registry, "hourly"));
            assertEquals(0, stale(registry, "nightly"));
            inForce = new LiveStatus(List.of(layer()), List.of(), 0);
            watch.round();
            assertEquals(List.of(), conditions.list());
            assertEquals(0, stale(registry, "hourly"));
            now = NOON.plus(Duration.ofHours(3)).plusSeconds(1);
            watch.round();
            assertEquals(1, conditions.list().size());
            assertEquals(1, stale(registry, "hourly"));
            Files.writeString(folder.resolve("feeds.yaml"), "feeds: [");
            now = now.plusSeconds(60);
            watch.round();
            assertEquals(
                    "feeds: cannot be read: 'bloomgate config check' says why",
                    conditions.list().getFirst().describe(inForce.layers()));
            assertEquals(1, stale(registry, "hourly"));
        }
    }

    private static int stale(PrometheusMeterRegistry registry, String layer) {
        return (int) registry.get("bloomgate.layer.stale")
                .tag("layer", layer)
                .gauge()
                .value();
    }

    private static LayerStatus layer() {
        return new LayerStatus(
                "hourly",
                "20260304T120000Z-0001",
                NOON,
                NOON,
                Optional.empty(),
                1,
                1,
                List.of(RecordCopy.with(RecordCopy.with(Snapshots.feed(1), "name", "a"), "seen", Optional.of(NOON))));
    }
}
