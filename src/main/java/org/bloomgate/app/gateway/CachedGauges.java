package org.bloomgate.app.gateway;

import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.tls.PemFile;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.bloomgate.server.quarantine.Quarantine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gauges that need file access: the size of the quarantine and the expiry of certificates. They are updated
/// once a minute in the background, for the files that were configured at start. Thread-safe.
final class CachedGauges implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CachedGauges.class);
    private static final Duration ROUND = Duration.ofMinutes(1);

    private final Quarantine quarantine;
    private final Map<String, Path> certificates;
    private final InstantSource clock;
    private final BackgroundTask watch;
    private volatile Quarantine.Held held = new Quarantine.Held(0, 0, Optional.empty());
    private volatile Map<String, Instant> ends = Map.of();

    CachedGauges(Configuration configuration, InstantSource clock) {
        this.clock = clock;
        quarantine = new Quarantine(configuration.smtp().quarantine());
        certificates = new TreeMap<>(configuration.smtp().certificates());
        String http = configuration.http().tls().certificate();
        if (!http.isEmpty()) {
            certificates.put("http.tls.certificate", Path.of(http));
        }
        round();
        watch = BackgroundTask.every(ROUND, "kept-figures", this::round);
    }

    private void round() {
        try {
            held = quarantine.held();
        } catch (IOException e) {
            LOG.warn("quarantine: {}", IoText.describe(e));
        }
        Map<String, Instant> read = new TreeMap<>(ends);
        certificates.forEach((key, file) -> {
            try {
                read.put(key, new PemFile(key, file).certificateEnds());
            } catch (IOException e) {
                LOG.warn("{}", IoText.describe(e));
            }
        });
        ends = Map.copyOf(read);
    }

    void show(GatewayMetrics metrics) {
        metrics.gauge("quarantine.messages", "Messages in the quarantine", () -> held.messages());
        metrics.gauge("quarantine.bytes", "Bytes of the messages in the quarantine", () -> held.sizeBytes());
        metrics.gauge(
                "quarantine.oldest.age.seconds",
                "Since the oldest message in the quarantine came",
                () -> held.oldest().map(came -> until(came, clock.instant())).orElse(0L));
        for (String key : certificates.keySet()) {
            metrics.gauge(
                    "certificate.left.seconds",
                    "Until the certificate ends",
                    Tags.of("key", key),
                    () -> until(clock.instant(), ends.getOrDefault(key, Instant.EPOCH)));
        }
    }

    private static long until(Instant from, Instant to) {
        return Duration.between(from, to).toSeconds();
    }

    @Override
    public void close() {
        watch.close();
    }
}
