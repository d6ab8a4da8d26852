package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.authentication.MessageSource;
import org.bloomgate.decision.senders.FirstContact;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.SenderNames;

/// The second step of an evaluation: reads the message, looks up its keys, and compares its sender with protected
/// names and known senders.
final class ContentStep {
    private final EvaluationContext context;
    private final EnvelopeStep envelope;
    private Inspection inspection = Inspection.COMPLETE;
    private boolean hasOverflowed;
    private boolean hasUnknownTarget;
    private LookupResult result = LookupResult.NOTHING;
    private List<Resemblance> resemblances = List.of();
    private SenderHistory history = SenderHistory.NONE;
    private FirstContact firstContact = FirstContact.NONE;

    ContentStep(EvaluationContext context, EnvelopeStep envelope) {
        this.context = context;
        this.envelope = envelope;
    }

    /// Reads the message to its end and collects its keys.
    ///
    /// @param sizeBytes of the message; 0 if it is not known
    /// @param batch must not be used any more, also after an exception
    /// @return the batch with the keys
    KeyBatch read(MessageSource message, long sizeBytes, KeyBatch batch) throws IOException {
        batch.clear();
        MessageEvaluator.Reading reading = context.evaluator().reading();
        ReadingPool.Outcome outcome = reading.pool()
                .read(
                        reading.reader(),
                        message,
                        sizeBytes,
                        context.suffixes(),
                        context.lease().kinds(),
                        batch);
        KeyBatch keys = outcome.batch();
        inspection = outcome.inspection();
        hasOverflowed = keys.overflowed();
        hasUnknownTarget =
                keys.identifiers().stream().anyMatch(identifier -> identifier.place() == Place.UNKNOWN_TARGET);
        return keys;
    }

    /// Looks up the keys of the message. The comparison of senders costs nothing without protected names and known
    /// senders.
    void lookUp(KeyBatch batch) {
        result = context.lookUp(batch, this::findSenderNames);
        MessageEvaluator.SenderChecks senders = context.evaluator().senders();
        if (senders.hasProtectedNames()) {
            resemblances =
                    Resemblance.find(batch, inspection.heading().mailboxes(), senders.lookAlikes(), context.suffixes());
        }
        if (senders.known().isActive()) {
            boolean isOutbound =
                    context.client().authenticated() || context.site().submission();
            history = SenderHistory.of(senders.known(), batch, envelope.mailFrom(), isOutbound);
            firstContact = history.firstContact(envelope.recipients());
        }
    }

    /// Returns the inspection of the envelope, and of the message as far as it is read.
    Inspection combineInspections() {
        return envelope.inspection().and(inspection);
    }

    /// The limits that kept envelope and message from being fully inspected and looked up.
    Set<Limit> collectLimits() {
        Set<Limit> all = hasOverflowed ? EnumSet.of(Limit.KEYS) : EnumSet.noneOf(Limit.class);
        all.addAll(combineInspections().limits());
        all.addAll(envelope.result().limits());
        all.addAll(result.limits());
        return all;
    }

    /// Returns the addresses that the message names as its sender.
    SenderNames findSenderNames() {
        return envelope.findSenderNames(combineInspections());
    }

    /// True if the target of a link is not known.
    boolean hasUnknownTarget() {
        return hasUnknownTarget;
    }

    LookupResult result() {
        return result;
    }

    /// Identifiers that resemble a protected name.
    List<Resemblance> resemblances() {
        return resemblances;
    }

    /// Whether this is the first contact of the sender with the recipients.
    FirstContact firstContact() {
        return firstContact;
    }

    /// True if something resembles a protected name and the sender is known: From may be forged.
    boolean mayImpersonate() {
        return !resemblances.isEmpty()
                && firstContact == FirstContact.NONE
                && history.isOfStranger(envelope.recipients());
    }

    /// Makes sender and recipients known to each other.
    void rememberSender() {
        history.remember(envelope.recipients());
    }
}
