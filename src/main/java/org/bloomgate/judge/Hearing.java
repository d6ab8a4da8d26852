package org.bloomgate.judge;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.journal.MailKeys;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.message.EnvelopeKeys;
import org.bloomgate.message.Inspection;
import org.bloomgate.policy.Action;
import org.bloomgate.policy.DifferingRecipients;
import org.bloomgate.policy.Policy;
import org.bloomgate.policy.Ruling;
import org.bloomgate.verdict.Verdict;

/// One mail before the judge, in the order SMTP brings it: the sender at MAIL, each recipient at RCPT, the message
/// after DATA, the ruling before the final dot is answered.
///
/// At RCPT only a refusal for good is spoken, that of a listed sender, so that postmaster can be exempt and the log
/// has the recipient. Whatever is milder waits for the whole message. Used by one thread at a time.
public final class Hearing {
    /// The limit a message reaches that holds more keys than one batch takes.
    private static final String KEYS = "keys";

    private final MessageJudge judge;
    private final Policy policy;
    private final LayerLease lease;
    private final boolean outdated;
    private final String generations;
    private final KeyBatch batch = new KeyBatch();
    private String mailFrom = "";
    private Judgement ofSender = Judgement.NOTHING;
    private Judgement ofMessage = Judgement.NOTHING;
    private Judgement judgement;
    private Inspection inspection = Inspection.COMPLETE;
    private boolean overflowed;

    /// One mailbox of each kind of recipients that differ in their rules, in order.
    private final List<String> ruledFor = new ArrayList<>();

    /// @param outdated true when even the newest snapshot is past its age
    Hearing(MessageJudge judge, LayerLease lease, boolean outdated) {
        this.judge = judge;
        this.policy = judge.policy();
        this.lease = lease;
        this.outdated = outdated;
        this.generations = Generations.of(lease.layers());
        this.judgement = lease.layers().isEmpty() ? Judgement.UNASKED : Judgement.NOTHING;
    }

    /// Judges the reverse-path.
    ///
    /// @param reversePath without brackets; empty for the null reverse-path, which says nothing
    public void sender(String reversePath) {
        mailFrom = reversePath;
        inspection = EnvelopeKeys.sender(mailFrom, lease.suffixes(), batch);
        ofSender = judge.lookup().judge(batch, lease);
        judgement = judgement.and(ofSender);
    }

    /// The refusal of this recipient because of the sender; empty when there is none.
    public Optional<Ruled> refusal(String mailbox) {
        Ruling ruling = policy.rule(ofSender, Set.of(), mailbox);
        return ruling.action() == Action.REJECT && !policy.shadow()
                ? Optional.of(new Ruled(judgement, ruling, Action.REJECT, Set.of()))
                : Optional.empty();
    }

    /// True when this recipient has other rules than those before it and must be sent to in a transaction of its own.
    public boolean goesApart(String mailbox) {
        return !ruledFor.isEmpty()
                && differs(mailbox)
                && policy.differingRecipients() == DifferingRecipients.DEFER
                && !policy.shadow();
    }

    /// Counts this recipient in.
    public void recipient(String mailbox) {
        if (differs(mailbox)) {
            ruledFor.add(mailbox);
        }
    }

    private boolean differs(String mailbox) {
        return ruledFor.stream().noneMatch(other -> policy.sameRules(other, mailbox, lease.local()));
    }

    /// Reads the message to its end and gathers its keys; [#ask()] is next.
    ///
    /// @throws IOException only when the stream fails
    public void read(InputStream message) throws IOException {
        batch.clear();
        inspection = inspection.and(judge.reader().read(message, lease.suffixes(), lease.kinds(), batch));
        overflowed = batch.overflowed();
    }

    /// Judges what was read.
    public void ask() {
        ofMessage = judge.lookup().judge(batch, lease);
        judgement = judgement.and(ofMessage);
    }

    /// The ruling on the mail for all recipients that were counted in.
    public Ruled rule() {
        return ruled(ruling());
    }

    /// Recipients that must be sent to apart are here in shadow mode only, and do not count.
    private Ruling ruling() {
        int counting = switch (policy.differingRecipients()) {
            case DEFER -> 1;
            case TAG -> ruledFor.size();
        };
        return ruledFor.stream()
                .limit(counting)
                .map(this::ruling)
                .reduce(Ruling::shared)
                .orElse(Ruling.PASS);
    }

    private Ruling ruling(String mailbox) {
        Ruling ruling = policy.rule(judgement, limits(), mailbox);
        return outdated ? ruling.or(policy.withoutSnapshot("newest snapshot too old", mailbox)) : ruling;
    }

    private Ruled ruled(Ruling ruling) {
        return new Ruled(judgement, ruling, policy.shadow() ? Action.PASS : ruling.action(), limits());
    }

    /// What was judged so far.
    public Judgement judgement() {
        return judgement;
    }

    /// Names of the limits that kept the message from being fully inspected.
    Set<String> limits() {
        if (!overflowed) {
            return inspection.limits();
        }
        Set<String> all = new TreeSet<>(inspection.limits());
        all.add(KEYS);
        return all;
    }

    /// What was thrown while the mail was read, for a log; the limit `fault` is among the limits then.
    public Optional<String> fault() {
        return inspection.fault();
    }

    /// Generations that are asked.
    public String generations() {
        return generations;
    }

    /// Put before the subject of a message that is tagged; may be empty.
    public String subjectPrefix() {
        return policy.subjectPrefix();
    }

    /// The identifiers of the reverse-path with what was found of each; before the message is read.
    List<ScanResult.Identified> identifiedInSender() {
        return ScanResult.Identified.in(batch, ofSender);
    }

    /// The identifiers of the message with what was found of each.
    List<ScanResult.Identified> identifiedInMessage() {
        return ScanResult.Identified.in(batch, ofMessage);
    }

    /// The refusal of all recipients, with what was found in the message all the same.
    Ruled refused(Ruled atRecipient) {
        return new Ruled(judgement, atRecipient.ruling(), atRecipient.enforced(), limits());
    }

    /// The keys of message and envelope but those known to be listed.
    public void remember(MailKeys keys) {
        keys.add(batch);
        batch.clear();
        EnvelopeKeys.sender(mailFrom, lease.suffixes(), batch);
        keys.add(batch);
        switch (judgement.verdict()) {
            case Verdict.Listed listed -> listed.listings().forEach(listing -> keys.remove(listing.key()));
            case Verdict.Clean _, Verdict.Unresolved _ -> {}
        }
    }
}
