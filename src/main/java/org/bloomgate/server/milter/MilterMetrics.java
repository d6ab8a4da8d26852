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
        undecided = createCounter("undecided", "Messages that ended before a decision");
        protocolErrors = createCounter("protocol.errors", "Connections closed because of a protocol error");
        rejected =
                createCounter("refused", "Connections closed at once: too many, or from outside smtp.clientNetworks");
    }

    private Counter createCounter(String name, String description) {
        return Counter.builder("bloomgate.milter." + name)
                .description(description)
                .register(registry);
    }

    void registerConnections(Supplier<Number> count) {
        Gauge.builder("bloomgate.milter.connections", count)
                .description("Connections of mail servers open now")
                .register(registry);
    }

    void countMessage(DecisionDraft draft) {
        draft.enforced()
                .map(messages::get)
                .map(Objects::requireNonNull)
                .ifPresentOrElse(Counter::increment, undecided::increment);
    }

    void countProtocolError() {
        protocolErrors.increment();
    }

    void countRejectedConnection() {
        rejected.increment();
    }
}
