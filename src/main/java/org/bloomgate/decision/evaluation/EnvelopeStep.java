package org.bloomgate.decision.evaluation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.content.mime.EnvelopeKeys;
import org.bloomgate.content.mime.SenderMailbox;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.policy.HeloFlaw;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.SenderNames;

/// The first step of an evaluation: the client when it is opened, the sender at MAIL, each recipient at RCPT. Each
/// method with a batch clears it and fills it.
final class EnvelopeStep {
    /// Stands for a recipient without rules of its own.
    static final String ANY_MAILBOX = "";

    private final EvaluationContext context;
    private final HeloFlaw heloFlaw;
    private Policy policy;

    /// The policy without the sender rules that require an authenticated sender.
    private Policy unprovedPolicy;

    private String mailFrom = "";
    private Inspection inspection = Inspection.COMPLETE;
    private LookupResult clientResult = LookupResult.NOTHING;
    private LookupResult senderResult = LookupResult.NOTHING;
    private LookupResult result = LookupResult.NOTHING;
    private final List<String> recipients = new ArrayList<>();

    /// One mailbox of each group of recipients with the same rules, in order of RCPT.
    private final List<String> groupMailboxes = new ArrayList<>();

    private final Set<String> tooNew = new HashSet<>();

    /// Looks up the client.
    EnvelopeStep(EvaluationContext context, KeyBatch batch) {
        this.context = context;
        this.policy = context.evaluator().rules().policy();
        this.unprovedPolicy = policy;
        this.heloFlaw = context.findHeloFlaw();
        if (context.isStranger() && context.client().isKnown()) {
            inspection = context.appendClient(batch);
            clientResult = context.evaluator().lookup().evaluate(batch, context.lease());
            result = clientResult;
        }
    }

    /// Looks up the reverse-path, and a listed client again: an exception may be for messages of this sender.
    void evaluateSender(String reversePath, KeyBatch batch) {
        mailFrom = reversePath;
        Policy baseRules = policy;
        policy = baseRules.forSender(reversePath);
        unprovedPolicy = baseRules.forClaimedSender(reversePath);
        if (context.lease().local().hasExceptionsForSenders()
                && !clientResult.findings().isEmpty()) {
            batch.clear();
            Inspection _ = context.appendClient(batch);
            clientResult = context.lookUp(batch, () -> findSenderNames(inspection));
        }
        batch.clear();
        inspection = inspection.and(EnvelopeKeys.appendSender(mailFrom, context.suffixes(), batch));
        senderResult = context.lookUp(batch, () -> findSenderNames(inspection));
        result = clientResult.and(senderResult);
    }

    /// The addresses that the message names as its sender. The address in From is empty until the message is read, and
    /// if the header was not read to its end.
    ///
    /// @param inspected the inspection of the envelope, and of the message as far as it is read
    SenderNames findSenderNames(Inspection inspected) {
        boolean isHeaderComplete = !inspected.limits().contains(Limit.HEADER_FIELDS)
                && !inspected.limits().contains(Limit.HEADER_BYTES);
        return new SenderNames(
                SenderMailbox.canonicalize(mailFrom).orElse(""),
                isHeaderComplete ? SenderMailbox.find(inspected.heading()).orElse("") : "");
    }

    /// The rejection of this recipient because of the client or the sender; empty if it is accepted.
    Optional<PolicyResult> findRejection(String mailbox) {
        // with every exception and rule of the reverse-path: whether it is authenticated is known after DATA
        if (mayReport() && context.reports().includes(mailbox)) {
            return Optional.empty();
        }
        PolicyResult policyResult = policy.rule(result, Set.of(), mailbox).takeStricter(policy.rule(heloFlaw, mailbox));
        return policyResult.action() == Action.REJECT && !policy.shadow(mailbox)
                ? Optional.of(policyResult)
                : Optional.empty();
    }

    /// Adds an accepted recipient.
    void addRecipient(String mailbox) {
        recipients.add(mailbox);
        if (groupMailboxes.stream().noneMatch(earlier -> hasSameRules(earlier, mailbox))) {
            groupMailboxes.add(mailbox);
        }
    }

    /// The recipients beyond the limit of those that are new to the site.
    Set<String> tooNew() {
        return tooNew;
    }

    /// True if both recipients have the same rules, whether the sender is authenticated or not.
    boolean hasSameRules(String mailbox, String otherMailbox) {
        return tooNew.contains(mailbox) == tooNew.contains(otherMailbox)
                && policy.sameRules(mailbox, otherMailbox, context.lease().local())
                && context.reports().includes(mailbox) == context.reports().includes(otherMailbox)
                && (!hasSenderRules()
                        || unprovedPolicy.sameRules(
                                mailbox, otherMailbox, context.lease().local()));
    }

    /// Whether the message may be a report, of which only its end shows who sent it.
    private boolean mayReport() {
        return context.reports().isProvider(context.client())
                || context.reports().isUser(mailFrom);
    }

    /// True if a rule requires that the sender is authenticated.
    boolean hasSenderRules() {
        return policy != unprovedPolicy;
    }

    Policy policy() {
        return policy;
    }

    Policy unprovedPolicy() {
        return unprovedPolicy;
    }

    HeloFlaw heloFlaw() {
        return heloFlaw;
    }

    String mailFrom() {
        return mailFrom;
    }

    Inspection inspection() {
        return inspection;
    }

    LookupResult clientResult() {
        return clientResult;
    }

    LookupResult senderResult() {
        return senderResult;
    }

    /// The findings of the client and the sender.
    LookupResult result() {
        return result;
    }

    List<String> recipients() {
        return recipients;
    }

    List<String> groupMailboxes() {
        return groupMailboxes;
    }
}
