package org.bloomgate.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.journal.Token;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.message.EnvelopeKeys;
import org.bloomgate.message.Inspection;
import org.bloomgate.policy.Ruling;
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
    private final long maxBytes;
    private final String token = Token.next();
    private final StageClock clock = new StageClock();
    private final KeyBatch batch = new KeyBatch();
    private final LayerLease lease;
    private final TransactionPolicy policy;
    private final NextHopTransaction nextHop;
    private Judgement sender = Judgement.NOTHING;
    private final List<MailPath> recipients = new ArrayList<>();
    private final DecisionDraft draft;
    private boolean readToItsEnd = true;

    MailTransaction(Collaborators with, Client client, MailArguments mail, long maxBytes) {
        this.with = with;
        this.client = client;
        this.mail = mail;
        this.maxBytes = maxBytes;
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
        return reply;
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
        if (!with.relayControl().allows(client.address(), to.recipient())) {
            return Replies.RELAY_DENIED;
        }
        if (draft.recipients() == with.options().maxRecipients()) {
            return Replies.TOO_MANY_RECIPIENTS;
        }
        Optional<Reply> refusal = refusalOfSender(to.recipient());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (hasRecipients() && !sameRules(recipients.getFirst(), to.recipient())) {
            return Replies.OTHER_POLICY;
        }
        long began = System.nanoTime();
        Reply reply = nextHop.rcpt(to.forwarded());
        clock.add(Stage.ENVELOPE, began);
        if (reply.positive()) {
            recipients.add(to.recipient());
            draft.recipient(to.recipient());
        }
        return reply;
    }

    private boolean sameRules(MailPath recipient, MailPath other) {
        return with.policy().sameRules(recipient.mailbox(), other.mailbox());
    }

    private Optional<Reply> refusalOfSender(MailPath recipient) {
        Ruling ruling = policy.rule(sender, Set.of(), recipient.mailbox());
        Optional<Reply> refusal = TransactionPolicy.refusal(ruling, token);
        refusal.ifPresent(reply -> {
            draft.recipient(recipient);
            draft.ruled(ruling, reply);
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
            long began = System.nanoTime();
            Intake intake = Intake.receive(connection, spool, with.options());
            clock.add(Stage.RECEIVE, began);
            readToItsEnd = intake.ended();
            draft.size(spool.sizeBytes());
            Optional<Reply> fault = fault(spool, intake);
            fault.ifPresent(draft::answered);
            return fault.isPresent() ? fault.get() : judge(spool);
        }
    }

    /// False when the rest of the message would come as commands.
    boolean readToItsEnd() {
        return readToItsEnd;
    }

    private MessageSpool spool() {
        RelayOptions options = with.options();
        return new MessageSpool(options.memoryBytesPerMessage(), options.temporary(), maxBytes, mail.sizeBytes());
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
            // every recipient has the same rules, or it would not have been accepted
            Ruling ruling =
                    policy.rule(draft.judgement(), limits, recipients.getFirst().mailbox());
            Reply reply = act(ruling, spool);
            draft.ruled(ruling, reply);
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
        return switch (ruling.action()) {
            case PASS -> deliver("", spool);
            case TAG -> deliver(tags(ruling), spool);
            case QUARANTINE -> quarantine(ruling, spool);
            case DISCARD, DEFER, REJECT -> {
                log(ruling);
                yield TransactionPolicy.refusal(ruling, token).orElse(Replies.OK);
            }
        };
    }

    private void log(Ruling ruling) {
        LOG.info("{} {}, client {}: {}", token, ruling.action().label(), client.addressText(), ruling.reason());
    }

    private String tags(Ruling ruling) {
        return TagFields.of(draft.verdict(), ruling, token);
    }

    private Reply deliver(String tags, MessageSpool spool) {
        long began = System.nanoTime();
        Reply reply = nextHop.data(top(tags), spool);
        clock.add(Stage.DELIVER, began);
        return reply;
    }

    private Reply quarantine(Ruling ruling, MessageSpool spool) throws IOException {
        List<String> to = recipients.stream().map(MailPath::text).toList();
        with.quarantine().keep(token, mail.sender().text(), to, top(tags(ruling)), spool);
        return Replies.OK;
    }

    private byte[] top(String tags) {
        String hostname = with.options().hostname();
        String received = ReceivedField.of(
                client, mail, recipients, hostname, token, with.clock().instant());
        return (received + tags).getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Ends the transaction and, when something was decided in it, records that.
    @Override
    public void close() {
        nextHop.close();
        lease.close();
        draft.decision(with.clock().instant(), clock).ifPresent(decision -> {
            with.metrics().decided(decision, clock);
            with.journal().record(decision);
        });
    }
}
