package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.smtp.LineEnds;
import org.bloomgate.lookup.lookup.LayerSource;

/// The result on a message that does not come by SMTP, the same that the relay would reach. Thread-safe.
public final class MessageScan {
    private final LayerSource layers;
    private volatile MessageEvaluator evaluator;

    public MessageScan(LayerSource layers, MessageEvaluator evaluator) {
        this.layers = layers;
        this.evaluator = evaluator;
    }

    /// Asks this evaluate from now on.
    public void use(MessageEvaluator other) {
        evaluator = other;
    }

    /// Reads the message to its end and evaluates every identifier of it and of the envelope.
    ///
    /// @param file what the result calls the message
    /// @throws IOException only when the stream fails
    public ScanResult scan(String file, InputStream message, Envelope envelope) throws IOException {
        try (MessageEvaluation evaluation = evaluator.open(layers.lease(), envelope.caller())) {
            List<ScanResult.Identified> identified = new ArrayList<>();
            identified.addAll(evaluation.identifiedInCaller());
            envelope.mailFrom().ifPresent(path -> {
                evaluation.mailFrom(path);
                identified.addAll(evaluation.identifiedInSender());
            });
            Optional<MessageDecision> refusal = refusalOfAll(evaluation, envelope);
            evaluation.message(LineEnds.normalised(message));
            evaluation.lookUp();
            identified.addAll(evaluation.identifiedInMessage());
            MessageDecision decision = refusal.map(evaluation::refused).orElseGet(evaluation::decide);
            return ScanResult.of(file, decision, identified, evaluation);
        }
    }

    /// Opens the evaluation of a message that is on its way, for a listener that goes through it itself.
    public MessageEvaluation open(ConnectingClient caller) {
        return evaluator.open(layers.lease(), caller);
    }

    /// As at RCPT: a rejected recipient does not count. Empty if any recipient remains.
    private static Optional<MessageDecision> refusalOfAll(MessageEvaluation evaluation, Envelope envelope) {
        Optional<MessageDecision> last = Optional.empty();
        boolean anyAccepted = false;
        for (String recipient : envelope.counted()) {
            Optional<MessageDecision> refusal = evaluation.refusal(recipient);
            if (refusal.isPresent()) {
                last = refusal;
            } else {
                evaluation.rcptTo(recipient);
                anyAccepted = true;
            }
        }
        return anyAccepted ? Optional.empty() : last;
    }
}
