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
import org.bloomgate.lookup.lookup.Action;
import org.bloomgate.lookup.lookup.LayerLease;
import org.bloomgate.lookup.lookup.ListingException;
import org.bloomgate.lookup.lookup.LookupResult;
import org.bloomgate.lookup.lookup.SenderNames;
import org.bloomgate.lookup.lookup.Verdict;

/// One message before the evaluator, in the order SMTP brings it: the caller and the sender at MAIL, each
/// recipient at RCPT, the message after DATA, the result before the final dot is answered.
///
/// At RCPT only a refusal for good is spoken, that of a listed client or sender, so that postmaster can be
/// excepted and the log has the recipient. Whatever is milder, and whether the recipients' rules matter to this
/// message, waits for the whole message. Used by one thread at a time; closed when the mail is done with:
/// nothing is evaluated any more then, and what was found stays.
public final class MessageEvaluation implements AutoCloseable {
    private final MessageEvaluator evaluator;
    private Policy policy;

    /// The policy without those rules of the sender that need proof.
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
    private LookupResult ofEnvelope = LookupResult.NOTHING;

    private LookupResult ofCaller = LookupResult.NOTHING;
    private LookupResult ofSender = LookupResult.NOTHING;
    private LookupResult ofMessage = LookupResult.NOTHING;
    private LookupResult lookupResult;
    private Inspection inspection = Inspection.COMPLETE;
    private boolean overflowed;
    private boolean unknownTarget;
    private List<Resemblance> resemblances = List.of();
    private SenderHistory history = SenderHistory.NONE;
    private FirstContact firstContact = FirstContact.NONE;
    private boolean clean;

    private final List<String> recipients = new ArrayList<>();

    /// One mailbox of each kind of recipients that differ in their rules, in order.
    private final List<String> ruledFor = new ArrayList<>();

    /// @param outdated true when even the newest snapshot is past its age
    MessageEvaluation(MessageEvaluator evaluator, LayerLease lease, ConnectingClient caller, boolean outdated) {
        this.evaluator = evaluator;
        this.policy = evaluator.policy();
        this.unprovedPolicy = policy;
        this.lease = lease;
        this.batch = evaluator.reader().takeBatch();
        this.caller = caller;
        this.outdated = outdated;
        this.generations = Generations.of(lease.layers());
        this.lookupResult = unasked();
        boolean stranger = !evaluator.site().includes(caller);
        this.heloFlaw = stranger ? evaluator.site().flaw(caller.helo()) : HeloFlaw.NONE;
        if (stranger && caller.isKnown()) {
            inspection = callerKeys();
            ofCaller = evaluator.lookup().evaluate(batch, lease);
            ofEnvelope = ofCaller;
            lookupResult = lookupResult.and(ofCaller);
        }
    }

    private LookupResult unasked() {
        return lease.layers().isEmpty() ? LookupResult.UNASKED : LookupResult.NOTHING;
    }

    private Inspection callerKeys() {
        return EnvelopeKeys.clientAndNames(caller.address(), caller.name(), caller.helo(), lease.suffixes(), batch);
    }

    /// Evaluates the reverse-path.
    ///
    /// @param reversePath without brackets; empty for the null reverse-path, which says nothing
    public void mailFrom(String reversePath) {
        requireOpen();
        mailFrom = reversePath;
        Policy ofAnySender = policy;
        policy = ofAnySender.forSender(reversePath);
        unprovedPolicy = ofAnySender.forClaimedSender(reversePath);
        if (lease.local().askForSenders() && !ofCaller.findings().isEmpty()) {
            callerOfSender();
        }
        batch.clear();
        inspection = inspection.and(EnvelopeKeys.sender(mailFrom, lease.suffixes(), batch));
        ofSender = evaluator.lookup().evaluate(batch, lease, this::senderNames);
        ofEnvelope = ofCaller.and(ofSender);
        lookupResult = unasked().and(ofEnvelope);
    }

    /// A listed caller is evaluated again: an exception may be for mail of this sender.
    private void callerOfSender() {
        batch.clear();
        Inspection _ = callerKeys();
        ofCaller = evaluator.lookup().evaluate(batch, lease, this::senderNames);
    }

    /// The refusal of this recipient because of the client or the sender; empty if there is none.
    public Optional<MessageDecision> refusal(String mailbox) {
        // with every exception and rule of the reverse-path: whether it is authenticated is known after DATA
        PolicyResult result = policy.rule(ofEnvelope, Set.of(), mailbox).or(policy.rule(heloFlaw, mailbox));
        return result.action() == Action.REJECT && !policy.shadow(mailbox)
                ? Optional.of(new MessageDecision(lookupResult, result, Action.REJECT, Set.of()))
                : Optional.empty();
    }

    /// Counts this recipient in.
    public void rcptTo(String mailbox) {
        requireOpen();
        recipients.add(mailbox);
        if (differs(mailbox)) {
            ruledFor.add(mailbox);
        }
    }

    private boolean differs(String mailbox) {
        return ruledFor.stream().noneMatch(other -> sameRules(other, mailbox));
    }

    private boolean sameRules(String one, String other) {
        return policy.sameRules(one, other, lease.local())
                && (policy == unprovedPolicy || unprovedPolicy.sameRules(one, other, lease.local()));
    }

    /// Reads the message to its end and gathers its keys; [#lookUp()] is next.
    ///
    /// @param sizeBytes of the message; 0 if it is not known
    /// @throws ReadingRefusedException if it cannot be read at the moment
    /// @throws IOException when the source fails
    public void message(MessageSource message, long sizeBytes) throws IOException {
        requireOpen();
        batch.clear();
        try {
            ReadingPool.Outcome outcome = evaluator
                    .readings()
                    .read(evaluator.reader(), message, sizeBytes, lease.suffixes(), lease.kinds(), batch);
            inspection = inspection.and(outcome.inspection());
            batch = outcome.batch();
        } catch (IOException | RuntimeException | Error unread) {
            batch = evaluator.reader().takeBatch();
            throw unread;
        }
        overflowed = batch.overflowed();
        unknownTarget = batch.identifiers().stream().anyMatch(identifier -> identifier.place() == Place.UNKNOWN_TARGET);
    }

    /// The address in From only once the message is read, and if all From fields were.
    private SenderNames senderNames() {
        boolean whole = !inspection.limits().contains(Limit.HEADER_FIELDS)
                && !inspection.limits().contains(Limit.HEADER_BYTES);
        return new SenderNames(
                SenderMailbox.canonical(mailFrom).orElse(""),
                whole ? SenderMailbox.of(heading()).orElse("") : "");
    }

    /// Evaluates what was read.
    public void lookUp() {
        requireOpen();
        ofMessage = evaluator.lookup().evaluate(batch, lease, this::senderNames);
        lookupResult = unasked().and(ofEnvelope).and(ofMessage);
        lookForStrangers();
    }

    /// Costs nothing without protected names and known senders.
    private void lookForStrangers() {
        if (evaluator.guards()) {
            resemblances =
                    Resemblance.in(batch, inspection.heading().mailboxes(), evaluator.lookAlikes(), lease.suffixes());
        }
        if (evaluator.knownSenders().active()) {
            boolean outbound = caller.authenticated() || evaluator.site().submission();
            history = SenderHistory.of(evaluator.knownSenders(), batch, mailFrom, outbound);
            firstContact = history.firstContact(recipients);
        }
    }

    /// The decision about the message for all recipients that were counted in.
    ///
    /// It is made with every exception and rule of a sender, and with none of those that need proof. Only if that
    /// changes what is done is the sender authenticated, and the decision is made with the result.
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
        // nothing was found that any recipient's rule could be about: not merely passed on to who wants it all the same
        clean = decision.verdict() == Verdict.Word.CLEAN && decision.action() == Action.PASS && !outdated;
        return decision;
    }

    /// Whether an exception or a rule of the named sender is about this message.
    private boolean dependsOnSender() {
        return policy != unprovedPolicy
                || isStrangerInDisguise()
                || lookupResult.findings().stream()
                        .flatMap(finding -> finding.exceptions().stream())
                        .anyMatch(ListingException::needsProof);
    }

    /// A known sender who resembles a protected name: From may be forged.
    private boolean isStrangerInDisguise() {
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
                        && evaluator.authenticator().defersUnknown()
                        && !decision.does(trusting)
                ? decision.deferred(", sender not authenticated: " + result.reason())
                : decision;
    }

    /// The names on which the decision depends: DNS queries are sent for no other.
    private SenderNames namesConcerned() {
        List<ListingException> exceptions = lookupResult.findings().stream()
                .flatMap(finding -> finding.exceptions().stream())
                .filter(ListingException::needsProof)
                .toList();
        boolean mailFromConcerned = policy != unprovedPolicy
                || exceptions.stream().anyMatch(exception -> exception.holdsFrom(names.mailFrom()));
        boolean fromConcerned =
                isStrangerInDisguise() || exceptions.stream().anyMatch(exception -> exception.holdsFrom(names.from()));
        return new SenderNames(mailFromConcerned ? names.mailFrom() : "", fromConcerned ? names.from() : "");
    }

    private void recordHits() {
        lookupResult.findings().stream()
                .flatMap(finding -> finding.met(""))
                .filter(ListingException::needsProof)
                .forEach(lease::met);
        if (!lookupResult.findings().isEmpty()) {
            ruledFor.forEach(mailbox -> policy.met(lookupResult, mailbox).forEach(lease::met));
        }
    }

    private MessageDecision decide(SenderProof proof) {
        LookupResult found = lookupResult.excepting(proof::counts);
        List<RecipientResults.Result> results =
                ruledFor.stream().map(mailbox -> result(found, proof, mailbox)).toList();
        return new RecipientResults(found, limits(), recipients, results, this::sameRules).decision();
    }

    /// A rule of the sender counts as written where it is stricter. Where it is milder, it counts for what the
    /// sender is authenticated for.
    private RecipientResults.Result result(LookupResult found, SenderProof proof, String mailbox) {
        PolicyResult mild = result(policy, found, limits(), heloFlaw, mailbox);
        if (firstContact == FirstContact.NONE
                ? isStrangerInDisguise() && !proof.provesAuthor(resemblances)
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
                .filter(exception -> !exception.fromAnybody() && !exception.needsProof())
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

    /// How new the sender is to the recipients.
    public FirstContact firstContact() {
        return firstContact;
    }

    /// The mail has reached its recipients: of one that was clean they know the sender from now on.
    public void delivered() {
        if (clean) {
            history.remember(recipients);
        }
    }

    /// Identifiers in the message that resemble a protected name.
    public List<Resemblance> resemblances() {
        return resemblances;
    }

    /// Who hands the mail over.
    public ConnectingClient caller() {
        return caller;
    }

    /// The generations that are used.
    public String generations() {
        return generations;
    }

    /// The text of the reply to a refused message.
    public String refusalText(String token, MessageDecision decision) {
        return policy.replyText().filled(token, decision.category());
    }

    /// Put before the subject of a message that is tagged so; empty when it is not to be marked.
    public String subjectPrefix(MessageDecision decision) {
        return decision.result().marked() ? policy.subjectPrefix() : "";
    }

    /// The identifiers of the caller with what was found of each; called before the sender is evaluated, used
    /// after the decision.
    Supplier<List<ScanResult.Identified>> identifiedInCaller() {
        return identified(ofCaller);
    }

    /// The identifiers of the reverse-path with what was found of each; before the message is read.
    Supplier<List<ScanResult.Identified>> identifiedInSender() {
        return identified(ofSender);
    }

    /// The identifiers of the message with what was found of each.
    Supplier<List<ScanResult.Identified>> identifiedInMessage() {
        return identified(ofMessage);
    }

    /// The verdicts depend on the decision, which comes later.
    private Supplier<List<ScanResult.Identified>> identified(LookupResult found) {
        requireOpen();
        List<Identifier> identifiers = List.copyOf(batch.identifiers());
        return () -> ScanResult.Identified.in(identifiers, found.excepting(proof::counts));
    }

    /// The refusal of all recipients, with what was found in the message all the same.
    MessageDecision refused(MessageDecision atRecipient) {
        return new MessageDecision(lookupResult, atRecipient.result(), atRecipient.enforced(), limits());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the evaluation is closed");
        }
    }

    /// Gives back the layers and the batch.
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            evaluator.reader().giveBack(batch);
            lease.close();
        }
    }

    /// The keys of message and envelope but those known to be listed.
    public void remember(MailKeys keys) {
        requireOpen();
        caller.address().ifPresent(keys::client);
        keys.add(batch);
        batch.clear();
        EnvelopeKeys.sender(mailFrom, lease.suffixes(), batch);
        if (!evaluator.site().includes(caller)) {
            Inspection _ = callerKeys();
        }
        keys.add(batch);
        switch (lookupResult.verdict()) {
            case Verdict.Listed listed -> listed.listings().forEach(listing -> keys.remove(listing.key()));
            case Verdict.Clean _, Verdict.Unresolved _ -> {}
        }
    }
}
