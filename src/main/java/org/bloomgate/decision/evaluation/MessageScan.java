package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.lookup.lookup.LayerSource;

/// The ruling on a message that does not come by SMTP, the same that the relay would reach. Thread-safe.
public final class MessageScan {
    private final LayerSource layers;
    private volatile MessageEvaluator judge;

    public MessageScan(LayerSource layers, MessageEvaluator judge) {
        this.layers = layers;
        this.judge = judge;
    }

    /// Asks this judge from now on.
    public void use(MessageEvaluator other) {
        judge = other;
    }

    /// Reads the message to its end and judges every identifier of it and of the envelope.
    ///
    /// @param file what the result calls the message
    /// @throws IOException only when the stream fails
    public ScanResult scan(String file, InputStream message, Envelope envelope) throws IOException {
        try (MessageEvaluation hearing = judge.open(layers.lease(), envelope.caller())) {
            List<ScanResult.Identified> identified = new ArrayList<>();
            identified.addAll(hearing.identifiedInCaller());
            envelope.mailFrom().ifPresent(path -> {
                hearing.sender(path);
                identified.addAll(hearing.identifiedInSender());
            });
            Optional<MessageDecision> refusal = refusalOfAll(hearing, envelope);
            hearing.read(message);
            hearing.ask();
            identified.addAll(hearing.identifiedInMessage());
            MessageDecision ruled = refusal.map(hearing::refused).orElseGet(hearing::rule);
            return ScanResult.of(file, ruled, identified, hearing);
        }
    }

    /// Opens the hearing of a mail that is on its way, for a door that goes through it itself.
    public MessageEvaluation open(ConnectingClient caller) {
        return judge.open(layers.lease(), caller);
    }

    /// As at RCPT: who is refused does not count. Empty when anybody counts.
    private static Optional<MessageDecision> refusalOfAll(MessageEvaluation hearing, Envelope envelope) {
        Optional<MessageDecision> last = Optional.empty();
        boolean anyAccepted = false;
        for (String recipient : envelope.counted()) {
            Optional<MessageDecision> refusal = hearing.refusal(recipient);
            if (refusal.isPresent()) {
                last = refusal;
            } else {
                hearing.recipient(recipient);
                anyAccepted = true;
            }
        }
        return anyAccepted ? Optional.empty() : last;
    }
}
