package org.bloomgate.server.milter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.lookup.tier.Action;

/// The metrics of the milter. Thread-safe.
final class MilterMetrics {
    private final MeterRegistry registry;
    private final Map<Action, Counter> messages = new EnumMap<>(Action.class);
    private final Counter undecided;
    private final Counter protocolErrors;
    private final Counter rejected;

    MilterMetrics(MeterRegistry registry) {
        this.registry = registry;
        Arrays.stream(Action.values())
                .forEach(action -> messages.put(
                        action,
                        Counter.builder("bloomgate.milter.messages")
                                .description("Messages of mail servers by the action that was answered")
                                .tag("action", action.label())
                                .register(registry)));
        undecided = counter("undecided", "Mails that ended before anything was decided about them");
        protocolErrors = counter("protocol.errors", "Connections closed because of what was sent on them");
        rejected = counter("refused", "Connections not taken: too many, or from elsewhere");
    }

    private Counter counter(String name, String description) {
        return Counter.builder("bloomgate.milter." + name)
                .description(description)
                .register(registry);
    }

    void connectionsOpen(Supplier<Number> count) {
        Gauge.builder("bloomgate.milter.connections", count)
                .description("Connections of mail servers open now")
                .register(registry);
    }

    void ended(DecisionDraft draft) {
        draft.enforced()
                .map(messages::get)
                .map(Objects::requireNonNull)
                .ifPresentOrElse(Counter::increment, undecided::increment);
    }

    void protocolError() {
        protocolErrors.increment();
    }

    void connectionRejected() {
        rejected.increment();
    }
}
