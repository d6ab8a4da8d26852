package org.bloomgate.server.smtp;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.nexthop.NextHopFault;

/// The metrics of the relay. Every counter is registered at start, so that it is exported with 0 before the
/// first message. Thread-safe.
final class RelayMetrics {
    private final MeterRegistry registry;
    private final Counter accepted;
    private final Counter rejected;
    private final Counter dropped;

    RelayMetrics(MeterRegistry registry) {
        this.registry = registry;
        accepted = sessions("accepted");
        rejected = sessions("refused");
        dropped = sessions("dropped");
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

    /// Registers the connections and faults of the next hop.
    void nextHop(NextHop nextHop) {
        connections("idle", () -> nextHop.usage().idle());
        connections("busy", () -> nextHop.usage().busy());
        for (NextHopFault.Kind kind : NextHopFault.Kind.values()) {
            FunctionCounter.builder(
                            "bloomgate.next.hop.faults",
                            nextHop,
                            hop -> hop.usage().faults(kind))
                    .description("Transactions that the next hop could not be used for, by what was wrong")
                    .tag("kind", TextForms.lowerCase(kind.name()))
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

    void sessionRejected() {
        rejected.increment();
    }

    /// Counts a connection lost in a command, mostly inside DATA.
    void sessionDropped() {
        dropped.increment();
    }
}
