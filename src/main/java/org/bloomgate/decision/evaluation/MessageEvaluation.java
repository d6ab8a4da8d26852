package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.bloomgate.base.concurrent.YieldingStream;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.content.mime.EnvelopeKeys;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.keyjournal.MailKeys;
import org.bloomgate.decision.policy.HeloFlaw;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.decision.senders.FirstContact;
import org.bloomgate.lookup.lookup.Action;
import org.bloomgate.lookup.lookup.LayerLease;
import org.bloomgate.lookup.lookup.LookupResult;
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
    private final LayerLease lease;
    private final ConnectingClient caller;
    private final boolean outdated;
    private final String generations;
    private final KeyBatch batch;
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
        return EnvelopeKeys.caller(caller.address(), caller.name(), caller.helo(), lease.suffixes(), batch);
    }

    /// Evaluates the reverse-path.
    ///
    /// @param reversePath without brackets; empty for the null reverse-path, which says nothing
    public void mailFrom(String reversePath) {
        requireOpen();
        mailFrom = reversePath;
        policy = policy.forSender(reversePath);
        if (!ofCaller.findings().isEmpty() && lease.local().askForSenders()) {
            callerOfSender();
        }
        batch.clear();
        inspection = inspection.and(EnvelopeKeys.sender(mailFrom, lease.suffixes(), batch));
        ofSender = evaluator.lookup().evaluate(batch, lease, mailFrom);
        ofEnvelope = ofCaller.and(ofSender);
        lookupResult = lookupResult.and(ofSender);
    }

    /// A listed caller is evaluated again: an exception may be for mail of this sender.
    private void callerOfSender() {
        batch.clear();
        Inspection _ = callerKeys();
        ofCaller = evaluator.lookup().evaluate(batch, lease, mailFrom);
        lookupResult = unasked().and(ofCaller);
    }

    /// The refusal of this recipient because of the client or the sender; empty if there is none.
    public Optional<MessageDecision> refusal(String mailbox) {
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
        return ruledFor.stream().noneMatch(other -> policy.sameRules(other, mailbox, lease.local()));
    }

    /// Reads the message to its end and gathers its keys; [#lookUp()] is next.
    ///
    /// @throws IOException only when the stream fails
    public void message(InputStream message) throws IOException {
        requireOpen();
        batch.clear();
        inspection = inspection.and(
                evaluator.reader().read(new YieldingStream(message), lease.suffixes(), lease.kinds(), batch));
        overflowed = batch.overflowed();
        unknownTarget = batch.identifiers().stream().anyMatch(identifier -> identifier.place() == Place.UNKNOWN_TARGET);
    }

    /// Evaluates what was read.
    public void lookUp() {
        requireOpen();
        ofMessage = evaluator.lookup().evaluate(batch, lease, mailFrom);
        lookupResult = lookupResult.and(ofMessage);
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

    /// The result on the mail for all recipients that were counted in.
    public MessageDecision decide() {
        requireOpen();
        List<RecipientResult> results = ruledFor.stream().map(this::ruledFor).toList();
        MessageDecision decision = agreed(results) ? together(results) : new Differing(results).decision();
        // nothing was found that any recipient's rule could be about: not merely passed on to who wants it all the same
        clean = decision.verdict() == Verdict.Word.CLEAN && decision.action() == Action.PASS && !outdated;
        return decision;
    }

    /// The result for some of the recipients.
    private record RecipientResult(String mailbox, PolicyResult result, Action enforced) {
        /// The result that is compared with those of others.
        PolicyResult effective() {
            return enforced == result.action() ? result : result.as(enforced, ", in shadow");
        }
    }

    private RecipientResult ruledFor(String mailbox) {
        PolicyResult result = result(mailbox);
        return new RecipientResult(mailbox, result, policy.shadow(mailbox) ? Action.PASS : result.action());
    }

    private PolicyResult result(String mailbox) {
        PolicyResult result = policy.rule(lookupResult, limits(), mailbox).or(policy.rule(heloFlaw, mailbox));
        if (!lookupResult.findings().isEmpty()) {
            policy.met(lookupResult, mailbox).forEach(lease::met);
        }
        result = unknownTarget ? result.or(policy.unknownTarget(mailbox)) : result;
        if (firstContact != FirstContact.NONE && !resemblances.isEmpty()) {
            result = result.or(resemblances.getFirst().onFirstContact());
        }
        return outdated ? result.or(policy.withoutSnapshot("newest snapshot too old", mailbox)) : result;
    }

    private static boolean agreed(List<RecipientResult> results) {
        return results.size() <= 1
                || results.stream().map(RecipientResult::enforced).distinct().count() == 1;
    }

    private MessageDecision together(List<RecipientResult> results) {
        PolicyResult result = results.stream()
                .map(RecipientResult::result)
                .reduce(PolicyResult::or)
                .orElse(PolicyResult.PASS);
        Action enforced = results.isEmpty() ? Action.PASS : results.getFirst().enforced();
        return new MessageDecision(lookupResult, result, enforced, limits());
    }

    /// A message whose recipients' results differ.
    private final class Differing {
        private static final String WHY = ", recipients differ";

        private final List<RecipientResult> results;
        private final PolicyResult hardest;

        Differing(List<RecipientResult> results) {
            this.results = results;
            this.hardest = results.stream()
                    .map(RecipientResult::effective)
                    .reduce(PolicyResult::or)
                    .orElse(PolicyResult.PASS);
        }

        MessageDecision decision() {
            return results.stream()
                    .filter(one -> one.enforced() == Action.DEFER
                            && one.result().because().isEmpty())
                    .findFirst()
                    .map(unresolved -> of(unresolved.result(), RecipientSplit.NONE))
                    .orElseGet(this::apart);
        }

        private MessageDecision of(PolicyResult result, RecipientSplit split) {
            return new MessageDecision(lookupResult, result, result.action(), limits(), split);
        }

        private MessageDecision shared() {
            PolicyResult result = results.stream()
                    .map(RecipientResult::effective)
                    .reduce(PolicyResult::shared)
                    .orElse(PolicyResult.PASS);
            return of(result, RecipientSplit.NONE);
        }

        private MessageDecision apart() {
            List<Integer> delivered = where(Set.of(Action.PASS, Action.TAG));
            List<Integer> kept = where(EnumSet.complementOf(EnumSet.of(Action.PASS, Action.TAG, Action.DISCARD)));
            if (delivered.size() == recipients.size()) {
                return shared();
            }
            boolean tagged = delivered.stream().anyMatch(i -> enforcedFor(recipients.get(i)) == Action.TAG);
            Action done = kept.isEmpty() ? Action.DISCARD : Action.QUARANTINE;
            return of(hardest.as(done, WHY), new RecipientSplit.Apart(delivered, kept, tagged));
        }

        private List<Integer> where(Set<Action> enforced) {
            return IntStream.range(0, recipients.size())
                    .filter(i -> enforced.contains(enforcedFor(recipients.get(i))))
                    .boxed()
                    .toList();
        }

        private Action enforcedFor(String mailbox) {
            return results.stream()
                    .filter(one -> policy.sameRules(one.mailbox(), mailbox, lease.local()))
                    .map(RecipientResult::enforced)
                    .findFirst()
                    .orElse(Action.PASS);
        }
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

    /// The identifiers of the caller with what was found of each; before the sender is evaluated.
    List<ScanResult.Identified> identifiedInCaller() {
        return identified(ofCaller);
    }

    /// The identifiers of the reverse-path with what was found of each; before the message is read.
    List<ScanResult.Identified> identifiedInSender() {
        return identified(ofSender);
    }

    /// The identifiers of the message with what was found of each.
    List<ScanResult.Identified> identifiedInMessage() {
        return identified(ofMessage);
    }

    private List<ScanResult.Identified> identified(LookupResult found) {
        requireOpen();
        return ScanResult.Identified.in(batch, found);
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
