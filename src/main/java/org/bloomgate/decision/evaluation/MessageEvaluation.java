package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.content.mime.EnvelopeKeys;
import org.bloomgate.content.mime.SenderMailbox;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.authentication.AuthenticationOutcome;
import org.bloomgate.decision.authentication.AuthenticationRequest;
import org.bloomgate.decision.authentication.MessageSource;
import org.bloomgate.decision.keyjournal.MailKeys;
import org.bloomgate.decision.policy.HeloFlaw;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.decision.senders.FirstContact;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.ListingException;
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
public final class MessageEvaluation implements AutoCloseable {
    private final MessageEvaluator evaluator;
    private Policy policy;

    /// The policy without the sender rules that require an authenticated sender.
    private Policy unprovedPolicy;

    private SenderNames names = SenderNames.NONE;
    private SenderProof proof = SenderProof.none(SenderNames.NONE);
    private Optional<Authentication> authentication = Optional.empty();
    private final LayerLease lease;
    private final ConnectingClient caller;
    private final boolean outdated;
    private final String generations;
    private KeyBatch batch;
    private boolean closed;
    private String mailFrom = "";
    private final HeloFlaw heloFlaw;

    /// Findings of the client, then of the sender as well.
    private LookupResult envelopeResult = LookupResult.NOTHING;

    private LookupResult clientResult = LookupResult.NOTHING;
    private LookupResult senderResult = LookupResult.NOTHING;
    private LookupResult messageResult = LookupResult.NOTHING;
    private LookupResult lookupResult;
    private Inspection inspection = Inspection.COMPLETE;
    private boolean overflowed;
    private boolean unknownTarget;
    private List<Resemblance> resemblances = List.of();
    private SenderHistory history = SenderHistory.NONE;
    private FirstContact firstContact = FirstContact.NONE;
    private boolean clean;

    private final List<String> recipients = new ArrayList<>();

    /// One mailbox of each group of recipients with the same rules, in order of RCPT.
    private final List<String> groupMailboxes = new ArrayList<>();

    /// @param outdated true if the newest snapshot is older than `maxSnapshotAge`
    MessageEvaluation(MessageEvaluator evaluator, LayerLease lease, ConnectingClient caller, boolean outdated) {
        this.evaluator = evaluator;
        this.policy = evaluator.rules().policy();
        this.unprovedPolicy = policy;
        this.lease = lease;
        this.batch = evaluator.reading().reader().takeBatch();
        this.caller = caller;
        this.outdated = outdated;
        this.generations = Generations.of(lease.layers());
        this.lookupResult = emptyResult();
        boolean stranger = !evaluator.rules().site().includes(caller);
        this.heloFlaw = stranger ? evaluator.rules().site().flaw(caller.helo()) : HeloFlaw.NONE;
        if (stranger && caller.isKnown()) {
            inspection = callerKeys();
            clientResult = evaluator.lookup().evaluate(batch, lease);
            envelopeResult = clientResult;
            lookupResult = lookupResult.and(clientResult);
        }
    }

    private LookupResult emptyResult() {
        return lease.layers().isEmpty() ? LookupResult.NO_LAYERS : LookupResult.NOTHING;
    }

    private Inspection callerKeys() {
        return EnvelopeKeys.clientAndNames(caller.address(), caller.name(), caller.helo(), lease.suffixes(), batch);
    }

    /// Evaluates the reverse-path.
    ///
    /// @param reversePath without brackets; empty for the null reverse-path, which has no keys
    public void mailFrom(String reversePath) {
        requireOpen();
        mailFrom = reversePath;
        Policy ofAnySender = policy;
        policy = ofAnySender.forSender(reversePath);
        unprovedPolicy = ofAnySender.forClaimedSender(reversePath);
        if (lease.local().hasExceptionsForSenders() && !clientResult.findings().isEmpty()) {
            evaluateClientForSender();
        }
        batch.clear();
        inspection = inspection.and(EnvelopeKeys.sender(mailFrom, lease.suffixes(), batch));
        senderResult = evaluator.lookup().evaluate(batch, lease, this::senderNames);
        envelopeResult = clientResult.and(senderResult);
        lookupResult = emptyResult().and(envelopeResult);
    }

    /// Evaluates a listed client again: an exception may be for mail of this sender.
    private void evaluateClientForSender() {
        batch.clear();
        Inspection _ = callerKeys();
        clientResult = evaluator.lookup().evaluate(batch, lease, this::senderNames);
    }

    /// Returns the rejection of this recipient because of the client or the sender; empty if it is accepted.
    public Optional<MessageDecision> refusal(String mailbox) {
        // with every exception and rule of the reverse-path: whether it is authenticated is known after DATA
        PolicyResult result = policy.rule(envelopeResult, Set.of(), mailbox).or(policy.rule(heloFlaw, mailbox));
        return result.action() == Action.REJECT && !policy.shadow(mailbox)
                ? Optional.of(new MessageDecision(lookupResult, result, Action.REJECT, Set.of()))
                : Optional.empty();
    }

    /// Adds an accepted recipient.
    public void rcptTo(String mailbox) {
        requireOpen();
        recipients.add(mailbox);
        if (differs(mailbox)) {
            groupMailboxes.add(mailbox);
        }
    }

    private boolean differs(String mailbox) {
        return groupMailboxes.stream().noneMatch(other -> sameRules(other, mailbox));
    }

    private boolean sameRules(String one, String other) {
        return policy.sameRules(one, other, lease.local())
                && (policy == unprovedPolicy || unprovedPolicy.sameRules(one, other, lease.local()));
    }

    /// Reads the message to its end and collects its keys; call [#lookUp()] next.
    ///
    /// @param sizeBytes of the message; 0 if it is not known
    /// @throws ReadingRefusedException if it cannot be read at the moment
    /// @throws IOException when the source fails
    public void message(MessageSource message, long sizeBytes) throws IOException {
        requireOpen();
        batch.clear();
        try {
            ReadingPool.Outcome outcome = evaluator
                    .reading()
                    .pool()
                    .read(evaluator.reading().reader(), message, sizeBytes, lease.suffixes(), lease.kinds(), batch);
            inspection = inspection.and(outcome.inspection());
            batch = outcome.batch();
        } catch (IOException | RuntimeException | Error e) {
            batch = evaluator.reading().reader().takeBatch();
            throw e;
        }
        overflowed = batch.overflowed();
        unknownTarget = batch.identifiers().stream().anyMatch(identifier -> identifier.place() == Place.UNKNOWN_TARGET);
    }

    /// The address in From is empty until the message is read, and if the header was not read to its end.
    private SenderNames senderNames() {
        boolean whole = !inspection.limits().contains(Limit.HEADER_FIELDS)
                && !inspection.limits().contains(Limit.HEADER_BYTES);
        return new SenderNames(
                SenderMailbox.canonical(mailFrom).orElse(""),
                whole ? SenderMailbox.of(heading()).orElse("") : "");
    }

    /// Looks up the keys of the message.
    public void lookUp() {
        requireOpen();
        messageResult = evaluator.lookup().evaluate(batch, lease, this::senderNames);
        lookupResult = emptyResult().and(envelopeResult).and(messageResult);
        lookForResemblances();
    }

    /// Costs nothing without protected names and known senders.
    private void lookForResemblances() {
        if (evaluator.senders().guards()) {
            resemblances = Resemblance.in(
                    batch, inspection.heading().mailboxes(), evaluator.senders().lookAlikes(), lease.suffixes());
        }
        if (evaluator.senders().known().active()) {
            boolean outbound =
                    caller.authenticated() || evaluator.rules().site().submission();
            history = SenderHistory.of(evaluator.senders().known(), batch, mailFrom, outbound);
            firstContact = history.firstContact(recipients);
        }
    }

    /// Returns the decision about the message for all recipients of [#rcptTo].
    ///
    /// The decision is made twice: with all exceptions and rules of the sender, and without those that require an
    /// authenticated sender. Only if the two differ is the sender authenticated, and the decision is made with
    /// that result.
    ///
    /// @param source of the message, read again for a signature
    /// @throws IOException only when the source fails
    public MessageDecision decide(MessageSource source) throws IOException {
        requireOpen();
        MessageDecision decision = decide(proof);
        if (dependsOnSender()) {
            names = senderNames();
            MessageDecision trusting = decide(SenderProof.full(names));
            if (!trusting.does(decision)) {
                decision = authenticated(trusting, source);
            }
        }
        lookupResult = decision.lookupResult();
        recordHits();
        // nothing is listed: a listed message that a recipient's rule lets pass is not clean
        clean = decision.verdict() == Verdict.Word.CLEAN && decision.action() == Action.PASS && !outdated;
        return decision;
    }

    /// Whether an exception or a rule for the named sender can change the decision.
    private boolean dependsOnSender() {
        return policy != unprovedPolicy
                || mayImpersonate()
                || lookupResult.findings().stream()
                        .flatMap(finding -> finding.exceptions().stream())
                        .anyMatch(ListingException::needsProof);
    }

    /// A known sender who resembles a protected name: From may be forged.
    private boolean mayImpersonate() {
        return !resemblances.isEmpty() && firstContact == FirstContact.NONE && history.isOfStranger(recipients);
    }

    private MessageDecision authenticated(MessageDecision trusting, MessageSource source) throws IOException {
        AuthenticationRequest request = new AuthenticationRequest(
                namesConcerned(),
                mailFrom,
                new AuthenticationRequest.Client(
                        caller.address(), caller.helo(), caller.authenticated(), caller.results()),
                lease.suffixes(),
                source);
        AuthenticationOutcome outcome = evaluator
                .senders()
                .authenticator()
                .authenticate(
                        request,
                        (ofMailFrom, ofFrom) -> decide(new SenderProof(names, ofMailFrom, ofFrom))
                                .does(trusting));
        Authentication result = outcome.authentication();
        authentication = Optional.of(result);
        proof = new SenderProof(names, outcome.ofMailFrom(), outcome.ofFrom());
        MessageDecision decision = decide(proof);
        if (!decision.does(trusting)) {
            String why = result.reason();
            lookupResult.findings().stream()
                    .flatMap(finding -> finding.exceptions().stream())
                    .filter(ListingException::needsProof)
                    .distinct()
                    .forEach(exception -> lease.unauthenticated(exception, why));
        }
        return result.result() == Authentication.Result.UNKNOWN
                        && evaluator.senders().authenticator().defersUnknown()
                        && !decision.does(trusting)
                ? decision.deferred(", sender not authenticated: " + result.reason())
                : decision;
    }

    /// The sender names that the decision depends on: only these are authenticated, which takes DNS queries.
    private SenderNames namesConcerned() {
        List<ListingException> exceptions = lookupResult.findings().stream()
                .flatMap(finding -> finding.exceptions().stream())
                .filter(ListingException::needsProof)
                .toList();
        boolean mailFromConcerned = policy != unprovedPolicy
                || exceptions.stream().anyMatch(exception -> exception.scope().includesSender(names.mailFrom()));
        boolean fromConcerned = mayImpersonate()
                || exceptions.stream().anyMatch(exception -> exception.scope().includesSender(names.from()));
        return new SenderNames(mailFromConcerned ? names.mailFrom() : "", fromConcerned ? names.from() : "");
    }

    private void recordHits() {
        lookupResult.findings().stream()
                .flatMap(finding -> finding.met(""))
                .filter(ListingException::needsProof)
                .forEach(lease::met);
        if (!lookupResult.findings().isEmpty()) {
            groupMailboxes.forEach(mailbox -> policy.met(lookupResult, mailbox).forEach(lease::met));
        }
    }

    private MessageDecision decide(SenderProof proof) {
        LookupResult found = lookupResult.excepting(proof::counts);
        List<RecipientResults.Result> results = groupMailboxes.stream()
                .map(mailbox -> result(found, proof, mailbox))
                .toList();
        return new RecipientResults(found, limits(), recipients, results, this::sameRules).decision();
    }

    /// A sender rule that makes the result stricter always counts. One that makes it milder counts only for the
    /// parts of the message for which the sender is authenticated.
    private RecipientResults.Result result(LookupResult found, SenderProof proof, String mailbox) {
        PolicyResult mild = result(policy, found, limits(), heloFlaw, mailbox);
        if (firstContact == FirstContact.NONE
                ? mayImpersonate() && !proof.provesAuthor(resemblances)
                : !resemblances.isEmpty()) {
            mild = mild.or(resemblances.getFirst().onFirstContact());
        }
        Action enforced = policy.shadow(mailbox) ? Action.PASS : mild.action();
        if (policy == unprovedPolicy || proof.mailFrom().everything()) {
            return new RecipientResults.Result(mailbox, mild, enforced);
        }
        PolicyResult strict = result(
                unprovedPolicy,
                found.only(finding -> !proof.mailFrom().covers(finding.identifier())),
                proof.mailFrom().body() ? Set.of() : limits(),
                heloFlaw,
                mailbox);
        return new RecipientResults.Result(
                mailbox,
                mild.or(strict),
                unprovedPolicy.shadow(mailbox) ? enforced : enforced.atLeast(strict.action()));
    }

    private PolicyResult result(Policy by, LookupResult found, Set<Limit> limits, HeloFlaw flaw, String mailbox) {
        PolicyResult result = by.rule(found, limits, mailbox).or(by.rule(flaw, mailbox));
        result = unknownTarget ? result.or(by.unknownTarget(mailbox)) : result;
        return outdated ? result.or(by.withoutSnapshot("newest snapshot too old", mailbox)) : result;
    }

    /// The authentication of the sender; empty if it was not needed.
    public Optional<Authentication> authentication() {
        return authentication.or(() -> lookupResult.findings().stream()
                .flatMap(finding -> finding.met(""))
                .filter(exception -> !exception.scope().includesAllSenders() && !exception.needsProof())
                .map(exception ->
                        Authentication.notNeeded(exception.scope().sender().orElse("")))
                .findFirst());
    }

    /// The findings so far.
    public LookupResult lookupResult() {
        return lookupResult;
    }

    /// The limits that kept the message from being fully inspected.
    Set<Limit> limits() {
        if (!overflowed) {
            return inspection.limits();
        }
        Set<Limit> all = EnumSet.of(Limit.KEYS);
        all.addAll(inspection.limits());
        return all;
    }

    /// The fields by which people identify the message, as far as it was read.
    MessageSummary heading() {
        return inspection.heading();
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
        return inspection.fault();
    }

    /// Further notes for readers of the journal, one a line.
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (firstContact != FirstContact.NONE) {
            notes.add("first contact: " + firstContact.label());
        }
        resemblances.stream().map(Resemblance::text).forEach(notes::add);
        return notes;
    }

    /// Whether this is the first contact of the sender with the recipients.
    public FirstContact firstContact() {
        return firstContact;
    }

    /// Called when the message was delivered. The sender of a clean message becomes a known sender of its
    /// recipients.
    public void delivered() {
        if (clean) {
            history.remember(recipients);
        }
    }

    /// Identifiers in the message that resemble a protected name.
    public List<Resemblance> resemblances() {
        return resemblances;
    }

    /// The client that sent the message.
    public ConnectingClient caller() {
        return caller;
    }

    /// The snapshot generations used, as text.
    public String generations() {
        return generations;
    }

    /// The text of the reply to a refused message.
    public String refusalText(String token, MessageDecision decision) {
        return policy.replyText().filled(token, decision.category());
    }

    /// The prefix of the subject of a tagged message; empty if the subject is not marked.
    public String subjectPrefix(MessageDecision decision) {
        return decision.result().marked() ? policy.subjectPrefix() : "";
    }

    /// The identifiers of the client with their findings. Called before the sender is evaluated; the supplier is
    /// used after the decision.
    Supplier<List<ScanResult.Identified>> identifiedInCaller() {
        return identified(clientResult);
    }

    /// The identifiers of the reverse-path with their findings. Called before the message is read.
    Supplier<List<ScanResult.Identified>> identifiedInSender() {
        return identified(senderResult);
    }

    /// The identifiers of the message with their findings.
    Supplier<List<ScanResult.Identified>> identifiedInMessage() {
        return identified(messageResult);
    }

    /// The verdicts depend on the decision, which comes later.
    private Supplier<List<ScanResult.Identified>> identified(LookupResult found) {
        requireOpen();
        List<Identifier> identifiers = List.copyOf(batch.identifiers());
        return () -> ScanResult.Identified.in(identifiers, found.excepting(proof::counts));
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
            evaluator.reading().reader().giveBack(batch);
            lease.close();
        }
    }

    /// Adds the keys of message and envelope, except those known to be listed.
    public void remember(MailKeys keys) {
        requireOpen();
        caller.address().ifPresent(keys::client);
        keys.add(batch);
        batch.clear();
        EnvelopeKeys.sender(mailFrom, lease.suffixes(), batch);
        if (!evaluator.rules().site().includes(caller)) {
            Inspection _ = callerKeys();
        }
        keys.add(batch);
        switch (lookupResult.verdict()) {
            case Verdict.Listed listed -> listed.listings().forEach(listing -> keys.remove(listing.key()));
            case Verdict.Clean _, Verdict.Unresolved _ -> {}
        }
    }
}
