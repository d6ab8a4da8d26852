package org.bloomgate.server.metrics;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.bloomgate.server.smtp.ListedDomains;
import org.junit.jupiter.api.Test;

class GatewayMetricsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void age_isAbsentWithoutAMoment() {
        AtomicReference<Optional<Instant>> moment = new AtomicReference<>(Optional.empty());
        try (GatewayMetrics metrics = new GatewayMetrics(
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                ListedDomains.inForce(),
                InstantSource.fixed(NOW))) {
            metrics.registerAge("test.age.seconds", "Since a moment", moment::get);
            assertFalse(metrics.scrape().contains("bloomgate_test_age_seconds"));
            moment.set(Optional.of(NOW.minusSeconds(90)));
            assertTrue(metrics.scrape().contains("\nbloomgate_test_age_seconds 90.0\n"));
            moment.set(Optional.empty());
            assertFalse(metrics.scrape().contains("bloomgate_test_age_seconds"));
        }
    }
}
