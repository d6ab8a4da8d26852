package org.bloomgate.smtp;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bloomgate.nexthop.NextHop;
import org.bloomgate.nexthop.NextHopFault;
import org.bloomgate.policy.Action;
import org.bloomgate.verdict.Verdict;

/// What the relay counts. Every meter is made at the start, so that it is there with 0 before the first mail and
/// counting is no more than finding it in a map. Thread-safe.
final class RelayMetrics {
    /// Two a decade: the reading of a small message takes some 100 µs, a final dot at a slow next hop seconds.
    private static final Duration[] BOUNDS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(300_000),
        Duration.ofMillis(1),
        Duration.ofMillis(3),
        Duration.ofMillis(10),
        Duration.ofMillis(30),
        Duration.ofMillis(100),
        Duration.ofMillis(300),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(10)
    };

    private final MeterRegistry registry;
    private final FeedMetrics feeds;
    private final Map<Stage, Timer> stages = new EnumMap<>(Stage.class);
    private final Map<Outcome, Counter> messages = new HashMap<>();
    private final Map<Action, Counter> shadowed = new EnumMap<>(Action.class);
    private final Counter accepted;
    private final Counter turnedAway;
    private final Counter dropped;
    private final Counter octets;

    private record Outcome(Verdict.Word verdict, Action enforced) {}

    RelayMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.feeds = new FeedMetrics(registry);
        Arrays.stream(Stage.values()).forEach(stage -> stages.put(stage, timer(stage)));
        Arrays.stream(Action.values()).forEach(this::count);
        accepted = sessions("accepted");
        turnedAway = sessions("refused");
        dropped = sessions("dropped");
        octets = Counter.builder("bloomgate.message.bytes")
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

    private void count(Action action) {
        for (Verdict.Word verdict : Verdict.Word.values()) {
            messages.put(
                    new Outcome(verdict, action),
                    Counter.builder("bloomgate.messages")
                            .description("Messages by verdict and by what was done with them")
                            .tags("verdict", verdict.label(), "action", action.label())
                            .register(registry));
        }
        shadowed.put(
                action,
                Counter.builder("bloomgate.shadow.messages")
                        .description("Messages by what would have been done, were it not for shadow mode")
                        .tag("action", action.label())
                        .register(registry));
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

    /// Shows how this next hop is doing, for as long as the relay lives.
    void nextHop(NextHop nextHop) {
        connections("idle", () -> nextHop.use().idle());
        connections("busy", () -> nextHop.use().busy());
        for (NextHopFault.Kind kind : NextHopFault.Kind.values()) {
            FunctionCounter.builder(
                            "bloomgate.next.hop.faults",
                            nextHop,
                            hop -> hop.use().faults(kind))
                    .description("Transactions that the next hop could not be used for, by what was wrong")
                    .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    private void connections(String state, Supplier<Number> count) {
        Gauge.builder("bloomgate.next.hop.connections", count)
                .description("Connections to the next hop")
                .tag("state", state)
                .register(registry);
    }

    void sessionAccepted() {
        accepted.increment();
    }

    void sessionRefused() {
        turnedAway.increment();
    }

    /// What listings came to.
    FeedMetrics feeds() {
        return feeds;
    }

    /// The client left inside DATA.
    void sessionDropped() {
        dropped.increment();
    }

    void decided(Verdict.Word verdict, Action enforced, Optional<Action> shadow, long sizeBytes, StageClock clock) {
        counter(messages, new Outcome(verdict, enforced)).increment();
        shadow.ifPresent(action -> counter(shadowed, action).increment());
        octets.increment((double) sizeBytes);
        clock.forEach(
                (stage, nanos) -> Objects.requireNonNull(stages.get(stage)).record(nanos, TimeUnit.NANOSECONDS));
    }

    /// There is one of each since the start.
    private static <K> Counter counter(Map<K, Counter> counters, K of) {
        return Objects.requireNonNull(counters.get(of));
    }
}
