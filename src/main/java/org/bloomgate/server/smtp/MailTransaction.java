package org.bloomgate.server.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.smtp.EhloExtensions;
import org.bloomgate.core.smtp.MailArguments;
import org.bloomgate.core.smtp.MailPath;
import org.bloomgate.core.smtp.RcptArguments;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.evaluation.RecipientSplit;
import org.bloomgate.decision.keyjournal.MailKeys;
import org.bloomgate.decision.policy.Action;
import org.bloomgate.server.nexthop.MessageBytes;
import org.bloomgate.server.nexthop.NextHopTransaction;
import org.bloomgate.server.quarantine.QuarantineEnvelope;
import org.bloomgate.server.spool.MarkedSubject;
import org.bloomgate.server.spool.MessageSpool;
import org.bloomgate.server.spool.Stage;
import org.bloomgate.server.spool.StageClock;
import org.bloomgate.server.spool.TagFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One message transaction from MAIL to the reply to its final dot. The layers in force at MAIL are asked
/// throughout.
///
/// A listed sender is remembered at MAIL and answered at RCPT, so that postmaster can be excepted and the log
/// has the recipient. The message is evaluated before the next hop sees its DATA, so that a refused one never
/// gets its dot.
final class MailTransaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MailTransaction.class);

    private final SessionContext with;
    private final Client client;
    private final MailArguments mail;
    private final EhloExtensions offer;
    private final String token = Token.next();
    private final StageClock clock = new StageClock();
    private final MessageEvaluation evaluation;
    private NextHopTransaction nextHop;
    private final List<RcptArguments> recipients = new ArrayList<>();
    private final DecisionDraft draft;
    private Optional<MessageReceiver> chunks = Optional.empty();
    private boolean readToItsEnd = true;
    private boolean delivered;

    MailTransaction(SessionContext with, Client client, MailArguments mail, EhloExtensions offer) {
        this.with = with;
        this.client = client;
        this.mail = mail;
        this.offer = offer;
        evaluation = with.evaluator().open(with.layers().lease(), client.caller());
        nextHop = begin();
        draft = new DecisionDraft(
                token,
                new DecisionDraft.Party(
                        client.addressText(),
                        client.heloText(),
                        client.tls(),
                        mail.sender().text()),
                evaluation);
    }

    private NextHopTransaction begin() {
        try {
            return with.nextHop().begin(client.identity(mail.smtpUtf8()));
        } catch (RuntimeException e) {
            evaluation.close();
            throw e;
        }
    }

    /// Evaluates the sender, then MAIL at the next hop.
    Reply mail() {
        if (!mail.sender().isNull()) {
            long began = System.nanoTime();
            evaluation.mailFrom(mail.sender().text());
            clock.add(Stage.SENDER, began);
        }
        long began = System.nanoTime();
        Reply reply = nextHop.mail(mail.forwarded());
        clock.add(Stage.ENVELOPE, began);
        draft.nextHop(reply.text());
        if (!reply.positive()) {
            draft.undecided(reply.text());
        }
        return honest(reply);
    }

    /// When the next hop has lost an extension since EHLO, or was not known then, a refusal of its may be of what we
    /// offered: that is no verdict on the message.
    private Reply honest(Reply ofNextHop) {
        boolean held = offer.heldBy(with.nextHop().capabilities());
        return held || ofNextHop.code() / 100 != 5 ? ofNextHop : Replies.OFFER_CHANGED;
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
        if (draft.recipients() == with.options().limits().maxRecipients()) {
            return refused(recipient, Replies.TOO_MANY_RECIPIENTS);
        }
        Optional<MessageDecision> ofSender = evaluation.refusal(recipient.mailbox());
        if (ofSender.isPresent()) {
            return refusedForSender(recipient, ofSender.get());
        }
        Reply reply = honest(handOn(to));
        if (!reply.positive()) {
            return refused(recipient, reply);
        }
        recipients.add(to);
        draft.recipient(recipient.text());
        evaluation.rcptTo(recipient.mailbox());
        return reply;
    }

    private Reply refused(MailPath recipient, Reply reply) {
        draft.refused(recipient.text(), reply.text());
        return reply;
    }

    private Reply refusedForSender(MailPath recipient, MessageDecision decision) {
        Reply reply = refusal(decision);
        draft.recipient(recipient.text());
        draft.decided(decision, reply.text());
        return reply;
    }

    private Reply refusal(MessageDecision decision) {
        return Replies.refused(evaluation.refusalText(token, decision));
    }

    private Reply handOn(RcptArguments to) {
        long began = System.nanoTime();
        Reply reply = nextHop.rcpt(to.forwarded());
        clock.add(Stage.ENVELOPE, began);
        draft.nextHop(reply.text());
        return reply;
    }

    /// Receives the message, evaluates it and hands it on.
    ///
    /// @throws IOException when the client is lost
    Reply data(ClientConnection connection) throws IOException {
        connection.reply(Replies.START_MAIL);
        try (MessageReceiver intake = new MessageReceiver(spool(), with.options())) {
            receive(intake, () -> intake.readData(connection));
            return concluded(intake);
        }
    }

    /// Receives one chunk, and with the last one does as [#data]. A message that is refused stays so: further chunks
    /// of it are read and get the same reply.
    ///
    /// @throws IOException when the client is lost
    Reply chunk(ClientConnection connection, Chunk chunk) throws IOException {
        MessageReceiver intake = chunks.orElseGet(() -> new MessageReceiver(spool(), with.options()));
        chunks = Optional.of(intake);
        receive(intake, () -> intake.readChunk(connection, chunk));
        return chunk.last() ? concluded(intake) : refusal(intake).orElseGet(() -> Replies.chunkTaken(chunk.bytes()));
    }

    /// True when a chunk came: neither DATA nor a further recipient may follow.
    boolean inChunks() {
        return chunks.isPresent();
    }

    private Reply concluded(MessageReceiver intake) {
        return refusal(intake).orElseGet(() -> evaluate(intake.spool()));
    }

    /// False when the rest of the message would come as commands.
    boolean readToItsEnd() {
        return readToItsEnd;
    }

    private interface Reading {
        void read() throws IOException;
    }

    private void receive(MessageReceiver intake, Reading reading) throws IOException {
        long began = System.nanoTime();
        try {
            reading.read();
        } catch (IOException e) {
            draft.lost();
            throw e;
        } finally {
            readToItsEnd = intake.ended();
            clock.add(Stage.RECEIVE, began);
            draft.size(intake.spool().sizeBytes());
        }
    }

    private MessageSpool spool() {
        RelayOptions options = with.options();
        return new MessageSpool(
                with.memory(),
                options.memory().memoryBytesPerMessage(),
                options.memory().temporary(),
                offer.maxBytes());
    }

    private Optional<Reply> refusal(MessageReceiver intake) {
        if (intake.spool().fault().isPresent()) {
            LOG.warn(
                    "{} not taken, client {}: {}",
                    token,
                    client.addressText(),
                    intake.spool().faultText());
        }
        return intake.fault().map(this::answered);
    }

    private Reply evaluate(MessageSpool spool) {
        try {
            inspect(spool);
            MessageDecision decision = evaluation.decide();
            Reply reply = act(decision, spool);
            draft.decided(decision, reply.text());
            return reply;
        } catch (IOException e) {
            LOG.error("{} cannot be read back or kept: {}", token, IoText.describe(e));
            return answered(Replies.LOCAL_ERROR);
        }
    }

    /// A reply that comes before policy is asked, or instead of it.
    private Reply answered(Reply reply) {
        draft.answered(reply.code() / 100 == 5 ? Action.REJECT : Action.DEFER, reply.text());
        return reply;
    }

    private void inspect(MessageSpool spool) throws IOException {
        long began = System.nanoTime();
        try (InputStream message = spool.open()) {
            evaluation.message(message);
        }
        evaluation.fault().ifPresent(fault -> LOG.error("{} is not fully inspected: {}", token, fault));
        clock.add(Stage.READ, began);
        began = System.nanoTime();
        evaluation.lookUp();
        clock.add(Stage.LOOKUP, began);
    }

    private Reply act(MessageDecision decision, MessageSpool spool) throws IOException {
        return switch (decision.split()) {
            case RecipientSplit.Together _ -> actForAll(decision, spool);
            case RecipientSplit.Apart apart -> part(apart, decision, spool);
        };
    }

    /// The message is kept first: should the next hop put the others off, it comes again and is kept twice,
    /// which costs nobody a message and brings nobody two.
    private Reply part(RecipientSplit.Apart apart, MessageDecision decision, MessageSpool spool) throws IOException {
        if (!apart.kept().isEmpty()) {
            Reply kept = quarantine(decision, spool, chosen(apart.kept()));
            if (!kept.positive()) {
                return kept;
            }
        }
        return apart.delivered().isEmpty() ? Replies.OK : deliverTo(chosen(apart.delivered()), apart, decision, spool);
    }

    private List<RcptArguments> chosen(List<Integer> numbers) {
        return numbers.stream().map(recipients::get).toList();
    }

    /// In a transaction of its own, as the next hop has accepted recipients who do not get it.
    private Reply deliverTo(
            List<RcptArguments> some, RecipientSplit.Apart apart, MessageDecision decision, MessageSpool spool)
            throws IOException {
        nextHop.close();
        nextHop = with.nextHop().begin(client.identity(mail.smtpUtf8()));
        Reply reply = honest(nextHop.mail(mail.forwarded()));
        for (RcptArguments to : some) {
            reply = reply.positive() ? honest(handOn(to)) : reply;
        }
        if (!reply.positive()) {
            draft.nextHop(reply.text());
            return reply;
        }
        recipients.retainAll(some);
        return apart.tagged() ? deliverTagged(decision, spool) : deliver("", spool);
    }

    private Reply actForAll(MessageDecision decision, MessageSpool spool) throws IOException {
        return switch (decision.enforced()) {
            case PASS -> deliver("", spool);
            case TAG -> deliverTagged(decision, spool);
            case QUARANTINE -> quarantine(decision, spool, recipients);
            case DISCARD -> Replies.OK;
            case DEFER -> decision.because().isEmpty() ? Replies.unchecked(token) : Replies.deferred(token);
            case REJECT -> refusal(decision);
        };
    }

    private Reply deliverTagged(MessageDecision decision, MessageSpool spool) throws IOException {
        String prefix = evaluation.subjectPrefix(decision);
        if (prefix.isEmpty()) {
            return deliver(TagFields.of(decision, token), spool);
        }
        Optional<MessageBytes> marked = MarkedSubject.of(spool, prefix);
        return marked.isPresent()
                ? deliver(TagFields.of(decision, token), marked.get())
                : deliver(TagFields.of(decision, token) + "Subject: " + prefix + "\r\n", spool);
    }

    private Reply deliver(String tags, MessageBytes message) {
        long began = System.nanoTime();
        Reply reply = nextHop.data(top(tags), message);
        clock.add(Stage.DELIVER, began);
        draft.nextHop(reply.text());
        delivered = reply.positive();
        return reply;
    }

    private Reply quarantine(MessageDecision decision, MessageSpool spool, List<RcptArguments> keptFor) {
        QuarantineEnvelope envelope = new QuarantineEnvelope(
                token,
                with.clock().instant(),
                client.identity(mail.smtpUtf8()),
                mail.sender().text(),
                mail.forwarded(),
                keptFor.stream().map(QuarantineEnvelope.Recipient::of).toList(),
                decision.verdict().label(),
                decision.reason(),
                evaluation.from(),
                evaluation.subject(),
                decision.feed(),
                decision.category(),
                decision.value());
        long began = System.nanoTime();
        try {
            with.quarantine().keep(envelope, top(TagFields.of(decision, token)), spool);
            return Replies.OK;
        } catch (IOException e) {
            LOG.error("{} cannot be kept in the quarantine: {}", token, IoText.describe(e));
            return with.quarantine().isFull(e, spool.sizeBytes()) ? Replies.DISK_FULL : Replies.LOCAL_ERROR;
        } finally {
            clock.add(Stage.KEEP, began);
        }
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
        String contact = TagFields.text(TagFields.of(evaluation.firstContact()));
        return (received + contact + tags).getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Ends the transaction and records what it came to. Whatever fails on the way, everything is given back.
    @Override
    public void close() {
        try (evaluation) {
            chunks.ifPresent(MessageReceiver::close);
            giveBackNextHop();
        } finally {
            record();
        }
    }

    private void giveBackNextHop() {
        try {
            nextHop.close();
        } finally {
            if (delivered) {
                evaluation.delivered();
                with.keys().begin().ifPresent(this::rememberKeys);
            }
        }
    }

    private void rememberKeys(MailKeys keys) {
        evaluation.remember(keys);
        with.keys().delivered(token, with.clock().instant(), keys);
    }

    private void record() {
        with.metrics().mails().count(draft, clock);
        with.journal().record(draft.decision(with.clock().instant(), clock.millis()));
    }
}
