package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.authentication.Coverage;
import org.bloomgate.decision.authentication.MessageSource;
import org.bloomgate.decision.memory.FirstContact;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.SenderNames;
import org.bloomgate.lookup.tier.Verdict;

/// The second step of an evaluation: reads the message, looks up its keys, and compares its sender with protected
/// names and known senders.
final class ContentStep {
    private final EvaluationContext context;
    private final EnvelopeStep envelope;
    private final Allowance allowance;
    private Inspection inspection = Inspection.COMPLETE;
    private boolean hasOverflowed;
    private boolean hasUnknownTarget;
    private LookupResult result = LookupResult.NOTHING;
    private List<Resemblance> resemblances = List.of();
    private Optional<BrandCheck.Naming> brand = Optional.empty();
    private MessageHistory history = MessageHistory.NONE;

    ContentStep(EvaluationContext context, EnvelopeStep envelope) {
        this.context = context;
        this.envelope = envelope;
        this.allowance = context.evaluator().reading().reader().createAllowance();
    }

    /// Reads the message to its end and collects its keys.
    ///
    /// @param sizeBytes of the message; 0 if it is not known
    /// @param batch must not be used any more, also after an exception
    /// @return the batch with the keys
    KeyBatch read(MessageSource message, long sizeBytes, KeyBatch batch) throws IOException {
        batch.clear();
        ReadingPool.Outcome outcome = readInPool(message, sizeBytes, batch);
        KeyBatch keys = outcome.batch();
        inspection = outcome.inspection();
        hasOverflowed = keys.overflowed();
        hasUnknownTarget =
                keys.identifiers().stream().anyMatch(identifier -> identifier.place() == Place.UNKNOWN_TARGET);
        return keys;
    }

    private ReadingPool.Outcome readInPool(MessageSource message, long sizeBytes, KeyBatch batch) throws IOException {
        MessageEvaluator.Reading reading = context.evaluator().reading();
        Set<KeyKind> kinds = context.lease().kinds();
        return reading.pool().read(reading.reader(), message, sizeBytes, context.suffixes(), kinds, batch, allowance);
    }

    /// Returns the identifiers of the body whose listed keys are in each of these readings of it. What the first
    /// reading left of the allowance pays for all of them; a reading beyond it has no keys.
    Set<Identifier> findInAll(List<MessageSource> readings) throws IOException {
        allowance.endGrowth();
        List<Finding> common = new ArrayList<>(result.findings());
        common.removeIf(finding -> !Coverage.BODY.covers(finding.identifier()));
        MessageReader reader = context.evaluator().reading().reader();
        for (int i = 0; i < readings.size() && !common.isEmpty(); i++) {
            KeyBatch keys = readInPool(readings.get(i), 0, reader.takeBatch()).batch();
            keys.addDigests(true, true);
            common.removeIf(finding -> !(finding.found() instanceof Verdict.Listed(List<Listing> listings)
                    && listings.stream().allMatch(listing -> isReached(keys, listing))));
            reader.giveBack(keys);
        }
        return common.stream().map(Finding::identifier).collect(Collectors.toSet());
    }

    private static boolean isReached(KeyBatch keys, Listing listing) {
        return IntStream.range(0, keys.size())
                .anyMatch(key -> keys.key(key).equals(listing.key())
                        && listing.match().reaches(listing.key(), keys.itself(key)));
    }

    /// Looks up the keys of the message. The comparison of senders costs nothing without protected names, brands and
    /// known senders.
    void lookUp(KeyBatch batch) {
        result = context.lookUp(batch, this::findSenderNames);
        MessageEvaluator.SenderChecks senders = context.evaluator().senders();
        if (senders.hasProtectedNames()) {
            resemblances =
                    Resemblance.find(batch, inspection.heading().mailboxes(), senders.lookAlikes(), context.suffixes());
        }
        boolean isOutbound = context.isOfUser();
        if (!isOutbound) {
            brand = senders.brands().find(inspection.heading().mailboxes(), envelope.recipients(), context.suffixes());
        }
        if (senders.history().memory().isActive()) {
            history = MessageHistory.of(senders.history(), batch, context.suffixes(), envelope, isOutbound);
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

    /// The brand that From names, though its addresses are not the brand's.
    Optional<BrandCheck.Naming> brand() {
        return brand;
    }

    /// Whether this is the first contact of the sender with the recipients.
    FirstContact firstContact() {
        return history.firstContact();
    }

    /// True if something resembles a protected name and the sender is known: From may be forged.
    boolean mayImpersonate() {
        return !resemblances.isEmpty() && history.firstContact() == FirstContact.NONE && history.isOfStranger();
    }

    /// What the site has seen of the sender and the links.
    MessageHistory history() {
        return history;
    }
}
