package org.bloomgate.app.gateway.watch;

import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.StateFolder;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.tls.PemFile;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.bloomgate.server.quarantine.Quarantine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gauges that need file access: the size of the quarantine, free space and the expiry of
/// certificates. They are updated once a minute in the background, for the files that were configured
/// at start. Thread-safe.
public final class CachedGauges implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CachedGauges.class);
    private static final Duration ROUND = Duration.ofMinutes(1);

    private final Quarantine quarantine;
    private final List<StateFolder> folders;
    private final Map<String, Path> certificates;
    private final InstantSource clock;
    private final BackgroundTask watch;
    private volatile Quarantine.Totals totals = new Quarantine.Totals(0, 0, Optional.empty());
    private volatile Disk disk = new Disk(0, 0);
    private volatile Map<String, Instant> certificateEnds = Map.of();

    public CachedGauges(Configuration configuration, InstantSource clock) {
        this.clock = clock;
        quarantine = new Quarantine(configuration.quarantine().folder());
        folders = StateFolder.ofGateway(configuration, configuration.nextHop());
        certificates = new TreeMap<>(configuration.smtp().certificates());
        String http = configuration.http().tls().certificate();
        if (!http.isEmpty()) {
            certificates.put("http.tls.certificate", Path.of(http));
        }
        round();
        watch = BackgroundTask.every(ROUND, "cached-gauges", this::round);
    }

    private record Disk(long freeBytes, long sizeBytes) {
        double freeShare() {
            return (double) freeBytes / sizeBytes;
        }
    }

    private void round() {
        folders.stream()
                .flatMap(folder -> disk(folder).stream())
                .min(Comparator.comparingDouble(Disk::freeShare))
                .ifPresent(fullest -> disk = fullest);
        try {
            totals = quarantine.totals();
        } catch (IOException e) {
            LOG.warn("quarantine: {}", IoText.describe(e));
        }
        Map<String, Instant> newEnds = new TreeMap<>(certificateEnds);
        certificates.forEach((key, file) -> {
            try {
                newEnds.put(key, new PemFile(key, file).readCertificateExpiry());
            } catch (IOException e) {
                LOG.warn("{}", IoText.describe(e));
            }
        });
        certificateEnds = Map.copyOf(newEnds);
    }

    private static Optional<Disk> disk(StateFolder folder) {
        try {
            FileStore store = folder.store();
            return Optional.of(new Disk(store.getUsableSpace(), store.getTotalSpace()));
        } catch (IOException e) {
            LOG.warn("{}: {}", folder.key(), IoText.describe(e));
            return Optional.empty();
        }
    }

    public void show(GatewayMetrics metrics) {
        metrics.registerGauge("quarantine.messages", "Messages in the quarantine", () -> totals.messages());
        metrics.registerGauge("quarantine.bytes", "Bytes of the messages in the quarantine", () -> totals.sizeBytes());
        metrics.registerAge(
                "quarantine.oldest.age.seconds",
                "Age of the oldest message in the quarantine; absent if it is empty",
                () -> totals.oldest());
        metrics.registerGauge(
                "state.free.bytes",
                "Bytes that this user may still write for state, on the fullest file system of a state folder",
                () -> disk.freeBytes());
        metrics.registerGauge("state.size.bytes", "Size of that file system", () -> disk.sizeBytes());
        for (String key : certificates.keySet()) {
            metrics.registerGauge(
                    "certificate.left.seconds",
                    "Time until the certificate expires",
                    Tags.of("key", key),
                    () -> until(clock.instant(), certificateEnds.getOrDefault(key, Instant.EPOCH)));
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
