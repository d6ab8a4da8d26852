package org.bloomgate.app.gateway;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.server.milter.Milter;
import org.bloomgate.server.milter.MilterAddress;
import org.bloomgate.server.milter.MilterSettings;
import org.bloomgate.server.smtp.RelayOptions;
import org.bloomgate.server.spool.MemoryBudget;

/// The milter of a gateway, if configured. Settings shared with the relay are in the `smtp` section.
record MilterListener(Optional<Milter> milter) implements AutoCloseable {

    /// @param memory that messages share with those of the relay
    static MilterListener open(
            Configuration configuration, Endpoint endpoint, MessageEvaluator evaluator, MemoryBudget memory)
            throws IOException {
        Optional<MilterAddress> listen = configuration.milter().listen();
        return new MilterListener(
                listen.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Milter(
                                listen.get(),
                                settings(configuration.smtp()),
                                endpoint.tiers().layers(),
                                evaluator,
                                endpoint.records(),
                                memory,
                                endpoint.registry())));
    }

    private static MilterSettings settings(RelayOptions smtp) {
        return new MilterSettings(
                smtp.access().clientNetworks(),
                smtp.sessions().maxSessions(),
                smtp.limits().maxRecipients(),
                smtp.limits().maxMessageBytes(),
                smtp.memory().memoryBytesPerMessage(),
                smtp.memory().temporary(),
                smtp.hostname(),
                smtp.timeouts().drain());
    }

    void start() {
        milter.ifPresent(Milter::start);
    }

    /// ` milter=127.0.0.1:8891` of the ready line, or nothing.
    String ready() {
        return milter.map(running -> " milter=" + running.address()).orElse("");
    }

    List<String> problems(RelayOptions next) {
        return milter.flatMap(running -> running.problem(next.access().clientNetworks())).stream()
                .toList();
    }

    void reload(RelayOptions next, MessageEvaluator evaluator) throws IOException {
        if (milter.isPresent()) {
            milter.get().reload(settings(next), evaluator);
        }
    }

    @Override
    public void close() {
        milter.ifPresent(Milter::close);
    }
}
