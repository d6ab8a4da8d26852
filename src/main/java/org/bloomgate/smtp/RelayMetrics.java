package org.bloomgate.smtp;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bloomgate.journal.Decision;

/// What the relay counts. Thread-safe.
final class RelayMetrics {
    private static final Duration[] BOUNDS = {
        Duration.ofNanos(100_000), Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(20),
        Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(10)
    };

    private final MeterRegistry registry;
    private final Map<Stage, Timer> stages = new EnumMap<>(Stage.class);
    private final Counter accepted;
    private final Counter turnedAway;
    private final Counter dropped;
    private final Counter octets;

    RelayMetrics(MeterRegistry registry) {
        this.registry = registry;
        Arrays.stream(Stage.values()).forEach(stage -> stages.put(stage, timer(stage)));
        accepted = sessions("accepted");
        turnedAway = sessions("refused");
        dropped = sessions("dropped");
        octets = Counter.builder("bloomgate.message.octets")
                .description("Octets of messages received")
                .register(registry);
    }

    private Timer timer(Stage stage) {
        return Timer.builder("bloomgate.stage")
                .description("Time of one stage of a mail transaction")
                .tag("stage", stage.label())
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    private Counter sessions(String outcome) {
        return Counter.builder("bloomgate.smtp.sessions.seen")
                .description("SMTP sessions by how they began or ended")
                .tag("outcome", outcome)
                .register(registry);
    }

    void sessionsOpen(Supplier<Number> count) {
        Gauge.builder("bloomgate.smtp.sessions", count)
                .description("SMTP sessions open now")
                .register(registry);
    }

    void sessionAccepted() {
        accepted.increment();
    }

    void sessionRefused() {
        turnedAway.increment();
    }

    /// The client left inside DATA.
    void sessionDropped() {
        dropped.increment();
    }

    void decided(Decision decision, StageClock clock) {
        registry.counter("bloomgate.messages", "verdict", decision.verdict(), "action", decision.action())
                .increment();
        if (!decision.shadow().isEmpty()) {
            registry.counter("bloomgate.shadow.messages", "action", decision.shadow())
                    .increment();
        }
        octets.increment((double) decision.sizeBytes());
        clock.forEach((stage, nanos) -> {
            Timer timer = stages.get(stage);
            if (timer != null) {
                timer.record(nanos, TimeUnit.NANOSECONDS);
            }
        });
    }
}
