package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.content.mime.EnvelopeKeys;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.authentication.AuthenticationOutcome.Covered;
import org.bloomgate.decision.authentication.MessageSource;
import org.bloomgate.decision.keyjournal.MailKeys;
import org.bloomgate.decision.memory.HistoryFacts;
import org.bloomgate.decision.policy.NewRecipientLimits;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.Signal;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.SenderNames;
import org.bloomgate.lookup.tier.Verdict;

/// The evaluation of one message, in the order of SMTP: the client when it is opened, the sender at MAIL, each
/// recipient at RCPT, the message after DATA, and the decision before the final dot is answered.
///
/// A listed client or sender is rejected at RCPT, not at MAIL: mail to postmaster must be accepted (RFC 5321
/// 4.5.1), and the log then names the recipient. Every milder action, and the rules of the recipients, wait for
/// the whole message. Used by one thread at a time. After it is closed, nothing more can be evaluated; the
/// findings can still be read.
///
/// Three steps do the work, in this order: [EnvelopeStep], [ContentStep], [DecisionStep].
public final class MessageEvaluation implements AutoCloseable {
    private final EvaluationContext context;
    private final String generations;
    private KeyBatch batch;
    private final EnvelopeStep envelope;
    private final ContentStep content;
    private LookupResult lookupResult;
    private SenderProof proof = new SenderProof(SenderNames.NONE, Covered.NOTHING);
    private Optional<Authentication> authentication = Optional.empty();
    private Optional<Resemblance> brand = Optional.empty();
    private List<String> reached = List.of();
    private Optional<String> reporter = Optional.empty();
    private boolean clean;
    private boolean closed;

    /// Evaluates the client.
    MessageEvaluation(EvaluationContext context) {
        this.context = context;
        this.generations = Generations.join(context.lease().layers());
        this.batch = reader().takeBatch();
        this.envelope = new EnvelopeStep(context, batch);
        this.content = new ContentStep(context, envelope);
        this.lookupResult = context.createEmptyResult().and(envelope.result());
    }

    private MessageReader reader() {
        return context.evaluator().reading().reader();
    }

    /// Evaluates the reverse-path.
    ///
    /// @param reversePath without brackets; empty for the null reverse-path, which has no keys
    public void mailFrom(String reversePath) {
        requireOpen();
        envelope.evaluateSender(reversePath, batch);
        lookupResult = context.createEmptyResult().and(envelope.result());
    }

    /// Returns the rejection of this recipient because of the client or the sender; empty if it is accepted.
    public Optional<MessageDecision> refusal(String mailbox) {
        return envelope.findRejection(mailbox)
                .map(result -> new MessageDecision(lookupResult, result, Action.REJECT, Set.of()));
    }

    /// True if the client or the sender is rejected at every recipient that has no rule or exception of its own.
    public boolean isSenderRejected() {
        return envelope.findRejection(EnvelopeStep.ANY_MAILBOX).isPresent();
    }

    /// Whether the recipient need not be deferred for being one too many of those that are new to the site, for a user
    /// of the site. A milder action waits for the whole message.
    public boolean isAdmitted(String mailbox) {
        NewRecipientLimits limits = envelope.policy().newRecipients();
        if (!limits.isActive() || isWithin(limits, mailbox)) {
            return true;
        }
        envelope.tooNew().add(mailbox);
        return envelope.policy().ruleNewRecipient(mailbox).action() != Action.DEFER
                || envelope.policy().shadow(mailbox);
    }

    private boolean isWithin(NewRecipientLimits limits, String mailbox) {
        MessageEvaluator.History history = context.evaluator().senders().history();
        String user = envelope.mailFrom();
        return history.memory().senders().isEmpty()
                || user.isEmpty()
                || history.isOwn(mailbox)
                || !(context.isOfUser() || (!context.isStranger() && history.isOwn(user)))
                || history.memory()
                        .senders()
                        .get()
                        .admit(
                                MessageHistory.canonicalize(user),
                                MessageHistory.canonicalize(mailbox),
                                limits.bySpan());
    }

    /// Adds an accepted recipient.
    public void rcptTo(String mailbox) {
        requireOpen();
        envelope.addRecipient(mailbox);
    }

    /// Reads the message to its end and collects its keys; call [#lookUp()] next.
    ///
    /// @param sizeBytes of the message; 0 if it is not known
    /// @throws ReadingRefusedException if it cannot be read at the moment
    /// @throws IOException when the source fails
    public void message(MessageSource message, long sizeBytes) throws IOException {
        requireOpen();
        try {
            batch = content.read(message, sizeBytes, batch);
        } catch (IOException | RuntimeException | Error e) {
            // a thread that does not return may still fill the batch
            batch = reader().takeBatch();
            throw e;
        }
    }

    /// Looks up the keys of the message.
    public void lookUp() {
        requireOpen();
        content.lookUp(batch);
        lookupResult = context.createEmptyResult().and(envelope.result()).and(content.result());
    }

    /// Returns the decision about the message for all recipients of [#rcptTo].
    ///
    /// @param source of the message, read again for a signature
    /// @throws IOException only when the source fails
    public MessageDecision decide(MessageSource source) throws IOException {
        requireOpen();
        DecisionStep step = new DecisionStep(context, envelope, content, lookupResult);
        MessageDecision decision = step.decide(source);
        lookupResult = decision.lookupResult();
        proof = step.proof();
        authentication = step.authentication();
        reporter = step.reporter();
        brand = content.brand().filter(_ -> !proof.isBrandProven()).map(BrandCheck.Naming::resemblance);
        // nothing is listed: a listed message that a recipient's rule lets pass is not clean
        clean = decision.verdict() == Verdict.Kind.CLEAN
                && (decision.action() == Action.PASS || Policy.isOfSignal(decision.result()))
                && !context.isOutdated();
        reached = decision.split() instanceof RecipientSplit.Apart apart
                ? apart.deliveredOf(envelope.recipients())
                : envelope.recipients();
        return decision;
    }

    /// The proven sender of a report, after the decision: an address of the site, or empty text for a provider. Empty
    /// for a message that is no report.
    public Optional<String> reporter() {
        return reporter;
    }

    /// Whether a recipient is an address to which messages are reported.
    public boolean isToReports() {
        return context.reports().includesAny(envelope.recipients());
    }

    /// Whether the message is a report and nothing else, so that what it contains was not sent to a user.
    public boolean isOnlyReport() {
        return reporter.isPresent() && envelope.recipients().stream().allMatch(context.reports()::includes);
    }

    /// The authentication of the sender; empty if it was not needed.
    public Optional<Authentication> authentication() {
        return authentication.or(() -> lookupResult.findings().stream()
                .flatMap(finding -> finding.hitExceptions(""))
                .filter(exception -> !exception.scope().includesAllSenders() && !exception.needsProof())
                .map(exception ->
                        Authentication.notNeeded(exception.scope().sender().orElse("")))
                .findFirst());
    }

    /// The findings so far.
    public LookupResult lookupResult() {
        return lookupResult;
    }

    /// The limits because of which the message is not fully inspected.
    Set<Limit> limits() {
        return content.collectLimits();
    }

    /// The fields by which people identify the message, as far as they have been read.
    MessageSummary heading() {
        return content.combineInspections().heading();
    }

    /// The header From of the message; empty if there is none.
    public String from() {
        return heading().from();
    }

    /// The subject of the message; empty if there is none.
    public String subject() {
        return heading().subject();
    }

    /// An exception while reading the message, for the log; the limits then contain `fault`.
    public Optional<String> fault() {
        return content.combineInspections().fault();
    }

    /// Returns further notes for readers of the journal, one per line.
    List<String> notes() {
        return resemblances().stream().map(Resemblance::text).toList();
    }

    /// What is new in the message to the memory of the site.
    public HistoryFacts facts() {
        return content.history().facts();
    }

    /// The signals of the message to the policy, whatever that does about them. A sender who was not authenticated
    /// because nothing depended on it counts as if it were.
    Set<Signal> signals() {
        return content.history().findSignals(authentication.isPresent() && !proof.isAuthorProven());
    }

    /// Called when the message was delivered. The sender of a clean message becomes a known sender of its
    /// recipients.
    public void delivered() {
        if (clean) {
            content.history().withRecipients(reached).remember(proof.isAuthorProven());
        }
    }

    /// Called when the message was deferred. If a new link is the reason, its first minute is noted.
    public void deferred(MessageDecision decision) {
        if (Policy.isOfSignal(decision.result())) {
            content.history().noteDeferred(envelope.mailFrom(), heading().messageId());
        }
    }

    /// What in the message resembles a protected name, or names a brand without proof.
    public List<Resemblance> resemblances() {
        return Stream.concat(content.resemblances().stream(), brand.stream()).toList();
    }

    /// The client that sent the message.
    public ConnectingClient caller() {
        return context.client();
    }

    /// The snapshot generations used, as text.
    public String generations() {
        return generations;
    }

    /// The text of the reply to a refused message.
    public String refusalText(String token, MessageDecision decision) {
        return envelope.policy().replyText().filled(token, decision.category());
    }

    /// The prefix of the subject of a tagged message; empty if the subject is not marked.
    public String subjectPrefix(MessageDecision decision) {
        return decision.result().markSubject() ? envelope.policy().subjectPrefix() : "";
    }

    /// The identifiers of the client with their findings. Called before the sender is evaluated; the supplier is
    /// used after the decision.
    Supplier<List<ScanResult.Identified>> identifiedInCaller() {
        return identified(envelope.clientResult());
    }

    /// The identifiers of the reverse-path with their findings. Called before the message is read.
    Supplier<List<ScanResult.Identified>> identifiedInSender() {
        return identified(envelope.senderResult());
    }

    /// The identifiers of the message with their findings.
    Supplier<List<ScanResult.Identified>> identifiedInMessage() {
        return identified(content.result());
    }

    /// The verdicts depend on the decision, which comes later.
    private Supplier<List<ScanResult.Identified>> identified(LookupResult found) {
        requireOpen();
        List<Identifier> identifiers = List.copyOf(batch.identifiers());
        return () -> ScanResult.Identified.listAll(identifiers, found.excepting(proof::counts));
    }

    /// The rejection of all recipients, with the findings of the message.
    MessageDecision refused(MessageDecision atRecipient) {
        return new MessageDecision(lookupResult, atRecipient.result(), atRecipient.enforced(), limits());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the evaluation is closed");
        }
    }

    /// Closes the lease and returns the batch to its pool.
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            reader().giveBack(batch);
            context.lease().close();
        }
    }

    /// Adds the keys of message and envelope; those known to be listed are marked.
    public void remember(MailKeys keys) {
        requireOpen();
        context.client().address().ifPresent(keys::setClient);
        envelope.recipients().stream().findFirst().ifPresent(keys::setRecipient);
        keys.addMessageId(heading().messageId());
        keys.add(batch);
        batch.clear();
        EnvelopeKeys.appendSender(envelope.mailFrom(), context.suffixes(), batch);
        if (context.isStranger()) {
            Inspection _ = context.appendClient(batch);
        }
        keys.add(batch);
        switch (lookupResult.verdict()) {
            case Verdict.Listed listed -> listed.listings().forEach(listing -> keys.markListed(listing.key()));
            case Verdict.Clean _, Verdict.Unresolved _ -> {}
        }
    }
}
