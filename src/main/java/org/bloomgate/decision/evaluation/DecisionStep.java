package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.authentication.AuthenticationOutcome;
import org.bloomgate.decision.authentication.AuthenticationOutcome.Covered;
import org.bloomgate.decision.authentication.AuthenticationRequest;
import org.bloomgate.decision.authentication.Authenticator;
import org.bloomgate.decision.authentication.MessageSource;
import org.bloomgate.decision.memory.FirstContact;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.SenderNames;

/// The third step of an evaluation: the decision for all recipients.
///
/// The decision is made twice: with all exceptions and rules of the sender, and without those that require an
/// authenticated sender. Only if the two differ is the sender authenticated, and the decision is made with that
/// result.
final class DecisionStep {
    private static final PolicyResult REPORT = new PolicyResult(Action.PASS, List.of(), "report of a proven reporter");

    private final EvaluationContext context;
    private final EnvelopeStep envelope;
    private final ContentStep content;
    private final LookupResult lookupResult;
    private final Set<Limit> limits;
    private SenderNames names = SenderNames.NONE;
    private SenderProof proof = new SenderProof(SenderNames.NONE, Covered.NOTHING);
    private Optional<Authentication> authentication = Optional.empty();

    /// Whether To names a report address and there is one Date; read only if a recipient is one.
    private boolean isAddressedAndDated;

    /// Whether a provider sends a feedback report to a report address.
    private boolean isFeedback;

    /// @param lookupResult of envelope and content
    DecisionStep(EvaluationContext context, EnvelopeStep envelope, ContentStep content, LookupResult lookupResult) {
        this.context = context;
        this.envelope = envelope;
        this.content = content;
        this.lookupResult = lookupResult;
        this.limits = content.collectLimits();
    }

    /// @param source of the message, read again for a signature
    /// @throws IOException only when the source fails
    MessageDecision decide(MessageSource source) throws IOException {
        isFeedback =
                isToReports() && context.reports().isProvider(context.client()) && ReportAddresses.isFeedback(source);
        MessageDecision decision = decide(proof);
        if (dependsOnSender()) {
            names = content.findSenderNames();
            isAddressedAndDated = mayBeReport() && context.reports().isAddressedAndDated(source);
            MessageDecision decisionWithProof = decide(new SenderProof(names, Covered.EVERYTHING));
            if (content.brand().isPresent()
                    || content.history().isAnswerWithNewLink()
                    || mayBeReport()
                    || !decisionWithProof.hasSameEffect(decision)) {
                decision = authenticate(decisionWithProof, source);
            }
        }
        recordHits(decision.lookupResult());
        return decision;
    }

    /// For which parts of the message the sender is authenticated.
    SenderProof proof() {
        return proof;
    }

    /// The authentication of the sender; empty if it was not needed.
    Optional<Authentication> authentication() {
        return authentication;
    }

    /// The proven sender of a report: a canonical address, or empty text for a provider. Empty for any other message.
    Optional<String> reporter() {
        if (!isToReports() || !isReport(proof)) {
            return Optional.empty();
        }
        // A login and SPF prove each From of a domain, but submission servers bind the reverse-path to the login.
        boolean isOfEnvelope = proof.from().everything() && context.reports().isUser(names.mailFrom());
        return Optional.of(isFeedback ? "" : isOfEnvelope ? names.mailFrom() : names.from());
    }

    private boolean isToReports() {
        return context.reports().includesAny(envelope.groupMailboxes());
    }

    private boolean mayBeReport() {
        return isToReports()
                && !envelope.mailFrom().isEmpty()
                && (!context.client().authenticated()
                        || context.reports().isUser(content.findSenderNames().mailFrom()))
                && context.reports().isUser(content.findSenderNames().from());
    }

    private boolean isReport(SenderProof assumedProof) {
        return isFeedback || (mayBeReport() && ReportAddresses.isProof(assumedProof.from(), isAddressedAndDated));
    }

    /// Whether an exception or a rule for the named sender can change the decision.
    private boolean dependsOnSender() {
        return envelope.hasSenderRules()
                || content.mayImpersonate()
                || content.brand().isPresent()
                || content.history().hasNewLink()
                || mayBeReport()
                || findExceptionsToProve().findAny().isPresent();
    }

    /// Returns the exceptions of the findings that require an authenticated sender.
    private Stream<ListingException> findExceptionsToProve() {
        return lookupResult.findings().stream()
                .flatMap(finding -> finding.exceptions().stream())
                .filter(ListingException::needsProof);
    }

    private MessageDecision authenticate(MessageDecision decisionWithProof, MessageSource source) throws IOException {
        ConnectingClient client = context.client();
        Authenticator authenticator = context.evaluator().senders().authenticator();
        AuthenticationRequest request = new AuthenticationRequest(
                findConcernedNames(),
                content.brand().map(naming -> naming.brand().domains()).orElse(List.of()),
                envelope.mailFrom(),
                new AuthenticationRequest.Client(
                        client.address(), client.helo(), client.authenticated(), client.results()),
                context.suffixes(),
                source,
                content::findInAll);
        AuthenticationOutcome outcome = authenticator.authenticate(
                request, covered -> isDecided(new SenderProof(names, covered), decisionWithProof));
        Authentication result = outcome.authentication();
        authentication = Optional.of(result);
        proof = new SenderProof(names, outcome.covered());
        MessageDecision decision = decide(proof);
        boolean isUnknown = result.result() == Authentication.Result.UNKNOWN && authenticator.defersUnknown();
        String reason = ", sender not authenticated: " + result.reason();
        if (isUnknown && mayBeReport() && !isReport(proof)) {
            // Delivered as mail of a stranger, a report would never be read.
            return decision.deferred(reason);
        }
        if (decision.hasSameEffect(decisionWithProof)) {
            return decision;
        }
        findExceptionsToProve()
                .distinct()
                .forEach(exception -> context.lease().recordUnauthenticated(exception, result.reason()));
        return isUnknown ? decision.withDeferral(reason) : decision;
    }

    /// True if further proof would change neither the decision nor what is reported.
    private boolean isDecided(SenderProof assumedProof, MessageDecision decisionWithProof) {
        return (content.brand().isEmpty() || assumedProof.isBrandProven())
                && (!content.history().isAnswerWithNewLink() || assumedProof.isAuthorProven())
                && (!mayBeReport() || isReport(assumedProof))
                && decide(assumedProof).hasSameEffect(decisionWithProof);
    }

    /// Returns the sender names that the decision depends on: only these are authenticated, which takes DNS queries.
    private SenderNames findConcernedNames() {
        List<ListingException> exceptions = findExceptionsToProve().toList();
        boolean isMailFromConcerned = envelope.hasSenderRules()
                || exceptions.stream().anyMatch(exception -> exception.scope().includesSender(names.mailFrom()));
        boolean isFromConcerned = content.mayImpersonate()
                || content.history().hasNewLink()
                || mayBeReport()
                || exceptions.stream().anyMatch(exception -> exception.scope().includesSender(names.from()));
        return new SenderNames(isMailFromConcerned ? names.mailFrom() : "", isFromConcerned ? names.from() : "");
    }

    private void recordHits(LookupResult result) {
        result.findings().stream()
                .flatMap(finding -> finding.hitExceptions(""))
                .filter(ListingException::needsProof)
                .forEach(context.lease()::recordHit);
        if (!result.findings().isEmpty()) {
            envelope.groupMailboxes()
                    .forEach(mailbox -> envelope.policy().met(result, mailbox).forEach(context.lease()::recordHit));
        }
    }

    private MessageDecision decide(SenderProof assumedProof) {
        LookupResult result = lookupResult.excepting(assumedProof::counts);
        List<RecipientResults.Result> results = envelope.groupMailboxes().stream()
                .map(mailbox -> createResult(result, assumedProof, mailbox))
                .toList();
        return new RecipientResults(result, limits, envelope.recipients(), results, envelope::hasSameRules).decide();
    }

    /// A sender rule that makes the result stricter always counts. One that makes it milder counts only for the
    /// parts of the message for which the sender is authenticated.
    private RecipientResults.Result createResult(LookupResult lookup, SenderProof assumedProof, String mailbox) {
        if (context.reports().includes(mailbox) && isReport(assumedProof)) {
            return new RecipientResults.Result(mailbox, REPORT, Action.PASS);
        }
        PolicyResult mildResult = applyPolicy(envelope.policy(), lookup, limits, mailbox);
        if (looksForged(assumedProof)) {
            mildResult =
                    mildResult.takeStricter(content.resemblances().getFirst().onFirstContact());
        }
        if (content.brand().isPresent() && !assumedProof.isBrandProven()) {
            PolicyResult brandResult =
                    context.evaluator().senders().brands().rule(content.brand().get(), isUnknown());
            mildResult = mildResult.takeStricter(Policy.soften(brandResult, mailbox));
        }
        mildResult = mildResult.takeStricter(applySignals(envelope.policy(), assumedProof, mailbox));
        Action enforced = envelope.policy().shadow(mailbox) ? Action.PASS : mildResult.action();
        if (!envelope.hasSenderRules() || assumedProof.mailFrom().everything()) {
            return new RecipientResults.Result(mailbox, mildResult, enforced);
        }
        PolicyResult strictResult = applyPolicy(
                envelope.unprovedPolicy(),
                lookup.only(finding -> !assumedProof.mailFrom().covers(finding.identifier())),
                assumedProof.mailFrom().body() ? Set.of() : limits,
                mailbox);
        return new RecipientResults.Result(
                mailbox,
                mildResult.takeStricter(strictResult),
                envelope.unprovedPolicy().shadow(mailbox) ? enforced : enforced.atLeast(strictResult.action()));
    }

    private PolicyResult applySignals(Policy policy, SenderProof assumedProof, String mailbox) {
        MessageHistory history = content.history();
        boolean isStranger = !assumedProof.isAuthorProven();
        PolicyResult result = policy.rule(
                history.findSignals(isStranger),
                history.isDeferrable(
                        isStranger,
                        envelope.mailFrom(),
                        content.combineInspections().heading().messageId()),
                mailbox);
        return envelope.tooNew().contains(mailbox) ? result.takeStricter(policy.ruleNewRecipient(mailbox)) : result;
    }

    private boolean isUnknown() {
        return authentication
                .filter(known -> known.result() == Authentication.Result.UNKNOWN)
                .isPresent();
    }

    /// True if something resembles a protected name, and the sender is neither known nor authenticated.
    private boolean looksForged(SenderProof assumedProof) {
        return content.firstContact() == FirstContact.NONE
                ? content.mayImpersonate() && !assumedProof.isAuthorProven(content.resemblances())
                : !content.resemblances().isEmpty();
    }

    private PolicyResult applyPolicy(Policy policy, LookupResult lookup, Set<Limit> inspectionLimits, String mailbox) {
        PolicyResult result =
                policy.rule(lookup, inspectionLimits, mailbox).takeStricter(policy.rule(envelope.heloFlaw(), mailbox));
        result = content.hasUnknownTarget() ? result.takeStricter(policy.unknownTarget(mailbox)) : result;
        return context.isOutdated()
                ? result.takeStricter(policy.withoutSnapshot("newest snapshot too old", mailbox))
                : result;
    }
}
