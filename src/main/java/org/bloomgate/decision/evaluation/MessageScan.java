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

/// Evaluates messages that do not arrive by SMTP, with the same result as the relay. Thread-safe.
public final class MessageScan {
    private final LayerSource layers;
    private volatile MessageEvaluator evaluator;

    public MessageScan(LayerSource layers, MessageEvaluator evaluator) {
        this.layers = layers;
        this.evaluator = evaluator;
    }

    /// Replaces the evaluator, for example after a reload of the configuration.
    public void setEvaluator(MessageEvaluator other) {
        evaluator = other;
    }

    /// What the site has seen before.
    public MessageEvaluator.History history() {
        return evaluator.senders().history();
    }

    /// Reads the message to its end and evaluates every identifier of it and of the envelope.
    ///
    /// @param file name of the message in the result
    /// @throws ReadingRefusedException if it cannot be read at the moment
    /// @throws IOException when the source fails
    public ScanResult scan(String file, MessageSource message, Envelope envelope) throws IOException {
        return scan(file, message, 0, envelope, _ -> {});
    }

    /// Evaluates a message and passes the result to a recorder.
    ///
    /// @param sizeBytes of the message, which decides when it is read if others wait; 0 if it is not known
    /// @param recorder called with the result while its evaluation is still open
    public ScanResult scan(
            String file, MessageSource message, long sizeBytes, Envelope envelope, Consumer<ScanResult> recorder)
            throws IOException {
        try (MessageEvaluation evaluation = evaluator.open(layers.lease(), envelope.caller())) {
            List<Supplier<List<ScanResult.Identified>>> suppliers = new ArrayList<>();
            suppliers.add(evaluation.identifiedInCaller());
            envelope.mailFrom().ifPresent(path -> {
                evaluation.mailFrom(path);
                suppliers.add(evaluation.identifiedInSender());
            });
            Optional<MessageDecision> rejection = findRejectionOfAll(evaluation, envelope);
            MessageSource normalised = () -> LineEnds.normalised(message.open());
            evaluation.message(normalised, sizeBytes);
            evaluation.lookUp();
            suppliers.add(evaluation.identifiedInMessage());
            MessageDecision decision =
                    rejection.isPresent() ? evaluation.refused(rejection.get()) : evaluation.decide(normalised);
            ScanResult result = ScanResult.of(
                    file,
                    decision,
                    suppliers.stream().flatMap(stage -> stage.get().stream()).toList(),
                    evaluation);
            recorder.accept(result);
            return result;
        }
    }

    /// Returns a scan that queries no DNS for the sender.
    public MessageScan withoutDns() {
        return new MessageScan(layers, evaluator.withoutDns());
    }

    /// Returns a scan for a test: lookups are not counted, and no exception is recorded as used.
    public MessageScan withoutTraces() {
        return new MessageScan(() -> new UntracedLease(layers.lease()), evaluator.withoutCounts());
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

    /// Returns the rejection of all recipients, as at RCPT; empty if a recipient remains.
    private static Optional<MessageDecision> findRejectionOfAll(MessageEvaluation evaluation, Envelope envelope) {
        Optional<MessageDecision> lastRejection = Optional.empty();
        boolean isAnyAccepted = false;
        for (String recipient : envelope.evaluatedRecipients()) {
            Optional<MessageDecision> rejection = evaluation.refusal(recipient);
            if (rejection.isPresent()) {
                lastRejection = rejection;
            } else {
                evaluation.rcptTo(recipient);
                isAnyAccepted = true;
            }
        }
        return isAnyAccepted ? Optional.empty() : lastRejection;
    }
}
