package org.bloomgate.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.envelope.MailArguments;
import org.bloomgate.envelope.MailPath;
import org.bloomgate.envelope.Offer;
import org.bloomgate.envelope.RcptArguments;
import org.bloomgate.envelope.Replies;
import org.bloomgate.envelope.Reply;
import org.bloomgate.journal.Decision;
import org.bloomgate.journal.MailKeys;
import org.bloomgate.journal.Token;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.message.EnvelopeKeys;
import org.bloomgate.message.Inspection;
import org.bloomgate.nexthop.MessageOctets;
import org.bloomgate.nexthop.NextHopTransaction;
import org.bloomgate.policy.Action;
import org.bloomgate.policy.Ruling;
import org.bloomgate.quarantine.QuarantineEnvelope;
import org.bloomgate.verdict.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One mail transaction from MAIL to the reply to its final dot. The layers in force at MAIL are asked throughout.
///
/// A listed sender is remembered at MAIL and answered at RCPT, so that postmaster can be exempt and the log has the
/// recipient. The message is judged before the next hop sees its DATA, so that a refused one never gets its dot.
final class MailTransaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MailTransaction.class);

    /// RFC 5321 6.3.
    private static final int MAX_RECEIVED_FIELDS = 100;

    private final Collaborators with;
    private final Client client;
    private final MailArguments mail;
    private final Offer offer;
    private final String token = Token.next();
    private final StageClock clock = new StageClock();
    private final KeyBatch batch = new KeyBatch();
    private final LayerLease lease;
    private final TransactionPolicy policy;
    private final NextHopTransaction nextHop;
    private Judgement sender = Judgement.NOTHING;
    private final List<RcptArguments> recipients = new ArrayList<>();

    /// One mailbox of each kind of recipients that differ in their rules.
    private final List<String> ruledFor = new ArrayList<>();
    private final DecisionDraft draft;
    private boolean readToItsEnd = true;
    private boolean delivered;

    MailTransaction(Collaborators with, Client client, MailArguments mail, Offer offer) {
        this.with = with;
        this.client = client;
        this.mail = mail;
        this.offer = offer;
        lease = with.layers().lease();
        policy = TransactionPolicy.of(
                with.policy(), lease, with.clock().instant(), with.options().maxSnapshotAge());
        nextHop = with.nextHop().begin(client.identity(mail.smtpUtf8()));
        draft = new DecisionDraft(token, client, mail, lease);
    }

    /// Judges the sender, then MAIL at the next hop.
    Reply mail() {
        if (!mail.sender().isNull()) {
            judgeSender();
        }
        long began = System.nanoTime();
        Reply reply = nextHop.mail(mail.forwarded());
        clock.add(Stage.ENVELOPE, began);
        draft.nextHop(reply);
        if (!reply.positive()) {
            draft.undecided(reply);
        }
        return honest(reply);
    }

    /// When the next hop has lost an extension since EHLO, or was not known then, a refusal of its may be of what we
    /// offered: that is no verdict on the message.
    private Reply honest(Reply ofNextHop) {
        boolean held = offer.heldBy(with.nextHop().capabilities());
        return held || ofNextHop.code() / 100 != 5 ? ofNextHop : Replies.OFFER_CHANGED;
    }

    private void judgeSender() {
        long began = System.nanoTime();
        EnvelopeKeys.sender(mail.sender().text(), lease.suffixes(), batch);
        sender = with.lookup().judge(batch, lease);
        draft.judged(sender);
        clock.add(Stage.SENDER, began);
    }

    boolean smtpUtf8() {
        return mail.smtpUtf8();
    }

    boolean hasRecipients() {
        return !recipients.isEmpty();
    }

    Reply rcpt(RcptArguments to) {
        MailPath recipient = to.recipient();
        if (!with.relayControl().allows(client.address(), recipient)) {
            return refused(recipient, Replies.RELAY_DENIED);
        }
        if (draft.recipients() == with.options().maxRecipients()) {
            return refused(recipient, Replies.TOO_MANY_RECIPIENTS);
        }
        Optional<Reply> ofSender = refusalOfSender(recipient);
        if (ofSender.isPresent()) {
            return ofSender.get();
        }
        boolean differs = ruledFor.stream()
                .noneMatch(other -> with.policy().sameRules(other, recipient.mailbox(), lease.local()));
        if (differs && hasRecipients() && policy.refusesDiffering()) {
            return refused(recipient, Replies.OTHER_POLICY);
        }
        Reply reply = honest(handOn(to));
        if (!reply.positive()) {
            return refused(recipient, reply);
        }
        recipients.add(to);
        draft.recipient(recipient);
        if (differs) {
            ruledFor.add(recipient.mailbox());
        }
        return reply;
    }

    private Reply refused(MailPath recipient, Reply reply) {
        draft.refused(recipient, reply);
        return reply;
    }

    private Reply handOn(RcptArguments to) {
        long began = System.nanoTime();
        Reply reply = nextHop.rcpt(to.forwarded());
        clock.add(Stage.ENVELOPE, began);
        draft.nextHop(reply);
        return reply;
    }

    private Optional<Reply> refusalOfSender(MailPath recipient) {
        Ruling ruling = policy.rule(sender, Set.of(), recipient.mailbox());
        Optional<Reply> refusal = policy.refusal(ruling, token);
        refusal.ifPresent(reply -> {
            draft.recipient(recipient);
            draft.ruled(ruling.action(), reply);
            log(ruling);
        });
        return refusal;
    }

    /// Receives the message, judges it and hands it on.
    ///
    /// @throws IOException when the client is lost
    Reply data(ClientConnection connection) throws IOException {
        connection.reply(Replies.START_MAIL);
        try (MessageSpool spool = spool()) {
            Intake intake = receive(connection, spool);
            Optional<Reply> fault = fault(spool, intake);
            fault.ifPresent(draft::answered);
            return fault.isPresent() ? fault.get() : judge(spool);
        }
    }

    /// False when the rest of the message would come as commands.
    boolean readToItsEnd() {
        return readToItsEnd;
    }

    private Intake receive(ClientConnection connection, MessageSpool spool) throws IOException {
        long began = System.nanoTime();
        try {
            Intake intake = Intake.receive(connection, spool, with.options());
            readToItsEnd = intake.ended();
            return intake;
        } catch (IOException e) {
            draft.lost();
            throw e;
        } finally {
            clock.add(Stage.RECEIVE, began);
            draft.size(spool.sizeBytes());
        }
    }

    private MessageSpool spool() {
        RelayOptions options = with.options();
        return new MessageSpool(
                with.memory(),
                options.memoryBytesPerMessage(),
                options.temporary(),
                offer.maxBytes(),
                mail.sizeBytes());
    }

    private Optional<Reply> fault(MessageSpool spool, Intake intake) {
        if (spool.fault().isPresent()) {
            LOG.warn("{} not taken, client {}: {}", token, client.addressText(), spool.faultText());
            return Optional.of(
                    switch (spool.fault().get()) {
                        case TOO_LARGE -> Replies.TOO_LARGE;
                        case DISK -> Replies.DISK_FULL;
                    });
        }
        if (intake.sawBareLineEnds() && with.options().bareLineEnds() == BareLineEnds.REJECT) {
            return Optional.of(Replies.BARE_LINE_END_IN_MESSAGE);
        }
        return intake.receivedFields() >= MAX_RECEIVED_FIELDS ? Optional.of(Replies.LOOP) : Optional.empty();
    }

    private Reply judge(MessageSpool spool) {
        try {
            Set<String> limits = inspect(spool);
            Ruling ruling = policy.rule(draft.judgement(), limits, ruledFor);
            if (ruling.action().compareTo(Action.TAG) > 0) {
                log(ruling);
            }
            if (with.policy().shadow()) {
                draft.shadow(ruling.action());
            }
            Reply reply = act(ruling, spool);
            draft.ruled(policy.enforced(ruling), reply);
            return reply;
        } catch (IOException e) {
            LOG.error("{} cannot be read back or kept: {}", token, e.toString());
            draft.answered(Replies.LOCAL_ERROR);
            return Replies.LOCAL_ERROR;
        }
    }

    /// @return names of the limits reached
    private Set<String> inspect(MessageSpool spool) throws IOException {
        if (!policy.checkable()) {
            return Set.of();
        }
        batch.clear();
        long began = System.nanoTime();
        Inspection inspection;
        try (InputStream message = spool.open()) {
            inspection = with.reader().read(message, lease.suffixes(), lease.kinds(), batch);
        }
        clock.add(Stage.READ, began);
        began = System.nanoTime();
        draft.judged(with.lookup().judge(batch, lease));
        clock.add(Stage.LOOKUP, began);
        draft.limits(inspection.limits());
        return inspection.limits();
    }

    private Reply act(Ruling ruling, MessageSpool spool) throws IOException {
        return switch (policy.enforced(ruling)) {
            case PASS -> deliver("", spool);
            case TAG -> deliverTagged(ruling, spool);
            case QUARANTINE -> quarantine(ruling, spool);
            case DISCARD, DEFER, REJECT -> policy.refusal(ruling, token).orElse(Replies.OK);
        };
    }

    private void log(Ruling ruling) {
        String action = ruling.action().label();
        LOG.info(
                "{} {}, client {}: {}",
                token,
                with.policy().shadow() ? "would " + action : action,
                client.addressText(),
                ruling.reason());
    }

    private String tags(Ruling ruling) {
        return TagFields.of(draft.verdict(), ruling, token);
    }

    private Reply deliverTagged(Ruling ruling, MessageSpool spool) throws IOException {
        String prefix = with.policy().subjectPrefix();
        if (prefix.isEmpty()) {
            return deliver(tags(ruling), spool);
        }
        Optional<MessageOctets> marked = MarkedSubject.of(spool, prefix);
        return marked.isPresent()
                ? deliver(tags(ruling), marked.get())
                : deliver(tags(ruling) + "Subject: " + prefix + "\r\n", spool);
    }

    private Reply deliver(String tags, MessageOctets message) {
        long began = System.nanoTime();
        Reply reply = nextHop.data(top(tags), message);
        clock.add(Stage.DELIVER, began);
        draft.nextHop(reply);
        delivered = reply.positive();
        return reply;
    }

    private Reply quarantine(Ruling ruling, MessageSpool spool) throws IOException {
        QuarantineEnvelope envelope = new QuarantineEnvelope(
                token,
                with.clock().instant(),
                client.identity(mail.smtpUtf8()),
                mail.sender().text(),
                mail.forwarded(),
                recipients.stream().map(QuarantineEnvelope.Recipient::of).toList(),
                draft.verdict(),
                ruling.reason());
        long began = System.nanoTime();
        with.quarantine().keep(envelope, top(tags(ruling)), spool);
        clock.add(Stage.KEEP, began);
        return Replies.OK;
    }

    private byte[] top(String tags) {
        String hostname = with.options().hostname();
        String received = ReceivedField.of(
                client,
                mail,
                recipients.stream().map(RcptArguments::recipient).toList(),
                hostname,
                token,
                with.clock().instant());
        return (received + tags).getBytes(StandardCharsets.ISO_8859_1);
    }

    /// The keys of message and envelope but those known to be listed. Without a snapshot there are none of the message.
    private void rememberKeys(MailKeys keys) {
        keys.add(batch);
        batch.clear();
        EnvelopeKeys.sender(mail.sender().text(), lease.suffixes(), batch);
        keys.add(batch);
        switch (draft.judgement().verdict()) {
            case Verdict.Listed listed -> listed.listings().forEach(listing -> keys.remove(listing.key()));
            case Verdict.Clean clean -> {}
            case Verdict.Unresolved unresolved -> {}
        }
        with.keys().delivered(token, with.clock().instant(), keys);
    }

    /// Ends the transaction and records what it came to.
    @Override
    public void close() {
        nextHop.close();
        if (delivered) {
            with.keys().begin().ifPresent(this::rememberKeys);
        }
        lease.close();
        Decision decision = draft.decision(with.clock().instant(), clock);
        if (draft.decided()) {
            with.metrics().decided(decision, clock);
        }
        with.journal().record(decision);
    }
}
