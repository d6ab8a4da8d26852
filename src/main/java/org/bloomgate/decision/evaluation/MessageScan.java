package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.smtp.LineEnds;
import org.bloomgate.decision.authentication.MessageSource;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LiveBlocklists;
import org.bloomgate.lookup.tier.LocalRules;

/// Evaluates messages that do not arrive by SMTP, with the result that the relay would reach. Thread-safe.
public final class MessageScan {
    private final LayerSource layers;
    private volatile MessageEvaluator evaluator;

    public MessageScan(LayerSource layers, MessageEvaluator evaluator) {
        this.layers = layers;
        this.evaluator = evaluator;
    }

    /// Replaces the evaluator, for example after a reload of the configuration.
    public void use(MessageEvaluator other) {
        evaluator = other;
    }

    /// Reads the message to its end and evaluates every identifier of it and of the envelope.
    ///
    /// @param file name of the message in the result
    /// @throws ReadingRefusedException if it cannot be read at the moment
    /// @throws IOException when the source fails
    public ScanResult scan(String file, MessageSource message, Envelope envelope) throws IOException {
        return scan(file, message, 0, envelope, _ -> {});
    }

    /// The same.
    ///
    /// @param sizeBytes of the message, which decides when it is read if others wait; 0 if it is not known
    /// @param recorder called with the result while its evaluation is still open
    public ScanResult scan(
            String file, MessageSource message, long sizeBytes, Envelope envelope, Consumer<ScanResult> recorder)
            throws IOException {
        try (MessageEvaluation evaluation = evaluator.open(layers.lease(), envelope.caller())) {
            List<Supplier<List<ScanResult.Identified>>> identified = new ArrayList<>();
            identified.add(evaluation.identifiedInCaller());
            envelope.mailFrom().ifPresent(path -> {
                evaluation.mailFrom(path);
                identified.add(evaluation.identifiedInSender());
            });
            Optional<MessageDecision> refusal = refusalOfAll(evaluation, envelope);
            MessageSource normalised = () -> LineEnds.normalised(message.open());
            evaluation.message(normalised, sizeBytes);
            evaluation.lookUp();
            identified.add(evaluation.identifiedInMessage());
            MessageDecision decision =
                    refusal.isPresent() ? evaluation.refused(refusal.get()) : evaluation.decide(normalised);
            ScanResult result = ScanResult.of(
                    file,
                    decision,
                    identified.stream().flatMap(stage -> stage.get().stream()).toList(),
                    evaluation);
            recorder.accept(result);
            return result;
        }
    }

    /// The same that queries no DNS for the sender.
    public MessageScan offline() {
        return new MessageScan(layers, evaluator.offline());
    }

    /// The same for a test: lookups are not counted, and no exception is noted as used.
    public MessageScan untraced() {
        return new MessageScan(() -> new UntracedLease(layers.lease()), evaluator.uncounted());
    }

    /// A lease that does not record hits of exceptions.
    private record UntracedLease(LayerLease lease) implements LayerLease {
        @Override
        public List<Layer> layers() {
            return lease.layers();
        }

        @Override
        public PublicSuffixes suffixes() {
            return lease.suffixes();
        }

        @Override
        public LocalRules local() {
            return lease.local();
        }

        @Override
        public Optional<LiveBlocklists> liveBlocklists() {
            return lease.liveBlocklists();
        }

        @Override
        public void close() {
            lease.close();
        }
    }

    /// Opens the evaluation of a message for a listener that runs its steps itself.
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
