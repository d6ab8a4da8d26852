package org.bloomgate.server.smtp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.smtp.EhloExtensions;
import org.bloomgate.core.smtp.MailArguments;
import org.bloomgate.core.smtp.MailPath;
import org.bloomgate.core.smtp.RcptArguments;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.RecipientSplit;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.server.nexthop.MessageBytes;
import org.bloomgate.server.nexthop.NextHopTransaction;
import org.bloomgate.server.quarantine.QuarantineEnvelope;
import org.bloomgate.server.spool.Delivery;
import org.bloomgate.server.spool.MarkedSubject;
import org.bloomgate.server.spool.MessagePipeline;
import org.bloomgate.server.spool.MessageSpool;
import org.bloomgate.server.spool.Stage;
import org.bloomgate.server.spool.TagFields;

/// One message transaction, from MAIL to the reply to the final dot. A message is evaluated before DATA is sent
/// to the next hop, so that a rejected message never gets there.
final class MailTransaction implements AutoCloseable {
    private final SessionContext context;
    private final Client client;
    private final MailArguments mail;
    private final EhloExtensions offer;
    private final MessagePipeline pipeline;
    private NextHopTransaction nextHop;
    /// The reply to the MAIL that was sent to the next hop; empty before.
    private Optional<Reply> mailReply = Optional.empty();
    private final List<RcptArguments> recipients = new ArrayList<>();
    private Optional<MessageReceiver> chunks = Optional.empty();
    private boolean fullyRead = true;

    MailTransaction(SessionContext context, Client client, MailArguments mail, EhloExtensions offer) {
        this.context = context;
        this.client = client;
        this.mail = mail;
        this.offer = offer;
        pipeline = new MessagePipeline(
                context.messages(),
                client.evaluatedClient(),
                new Decision.Connection(client.addressText(), client.heloText(), client.tls()),
                mail.sender().text());
        nextHop = begin();
    }

    private NextHopTransaction begin() {
        try {
            return context.nextHop().begin(client.identity(mail.smtpUtf8()));
        } catch (RuntimeException e) {
            pipeline.discardRecord();
            pipeline.close();
            throw e;
        }
    }

    /// Evaluates the sender, then sends MAIL to the next hop; for a rejected sender only with the first recipient
    /// that is not rejected. So a burst of rejected messages is no burst of aborted transactions, which a mail
    /// server answers more and more slowly.
    Reply mail() {
        pipeline.evaluateSender(mail.sender().text());
        if (pipeline.evaluation().isSenderRejected()) {
            return Replies.SENDER_OK;
        }
        Reply reply = mailAtNextHop();
        if (!reply.positive()) {
            draft().recordRejection(reply.text());
        }
        return reply;
    }

    private Reply mailAtNextHop() {
        long began = System.nanoTime();
        Reply reply = nextHop.mail(mail.forwarded());
        pipeline.clock().add(Stage.ENVELOPE, began);
        draft().recordNextHopReply(reply.text());
        reply = deferIfOfferChanged(reply);
        mailReply = Optional.of(reply);
        return reply;
    }

    /// If the next hop has lost an extension since EHLO, or was not known then, its rejection may concern an
    /// extension that we offered, and not the message; the client then gets a 4xx reply.
    private Reply deferIfOfferChanged(Reply reply) {
        boolean stillOffered = offer.isSupportedBy(context.nextHop().capabilities());
        return stillOffered || reply.code() / 100 != 5 ? reply : Replies.OFFER_CHANGED;
    }

    boolean smtpUtf8() {
        return mail.smtpUtf8();
    }

    boolean hasRecipients() {
        return !recipients.isEmpty();
    }

    Reply rcpt(RcptArguments to) {
        MailPath recipient = to.recipient();
        Optional<Reply> relayRejection = context.relayControl().rejection(client.address(), recipient);
        if (relayRejection.isPresent()) {
            return pipeline.recordRejectedRecipient(recipient.text(), relayRejection.get());
        }
        Optional<Reply> rejection = pipeline.findRejection(recipient.text(), recipient.mailbox());
        if (rejection.isPresent()) {
            return rejection.get();
        }
        Reply reply = mailReply.orElseGet(this::mailAtNextHop);
        reply = reply.positive() ? deferIfOfferChanged(rcptAtNextHop(to)) : reply;
        if (!reply.positive()) {
            return pipeline.recordRejectedRecipient(recipient.text(), reply);
        }
        recipients.add(to);
        pipeline.addRecipient(recipient.text(), recipient.mailbox());
        return reply;
    }

    private DecisionDraft draft() {
        return pipeline.draft();
    }

    private Reply rcptAtNextHop(RcptArguments to) {
        long began = System.nanoTime();
        Reply reply = nextHop.rcpt(to.forwarded());
        pipeline.clock().add(Stage.ENVELOPE, began);
        draft().recordNextHopReply(reply.text());
        return reply;
    }

    /// Receives the message, evaluates it and delivers it.
    ///
    /// @throws IOException if the connection is lost
    Reply data(ClientConnection connection) throws IOException {
        connection.reply(Replies.START_MAIL);
        try (MessageReceiver receiver =
                new MessageReceiver(context.messages().createSpool(offer.maxBytes()), context.options())) {
            read(receiver, () -> receiver.readData(connection));
            return conclude(receiver);
        }
    }

    /// Receives one chunk; after the last one continues as [#data]. Once a message is rejected, its further
    /// chunks are read and get the same reply.
    ///
    /// @throws IOException if the connection is lost
    Reply chunk(ClientConnection connection, Chunk chunk) throws IOException {
        MessageReceiver receiver = chunks.orElseGet(
                () -> new MessageReceiver(context.messages().createSpool(offer.maxBytes()), context.options()));
        chunks = Optional.of(receiver);
        read(receiver, () -> receiver.readChunk(connection, chunk));
        return chunk.last()
                ? conclude(receiver)
                : rejection(receiver).orElseGet(() -> Replies.chunkTaken(chunk.bytes()));
    }

    /// True after a first chunk: neither DATA nor another recipient may follow.
    boolean inChunks() {
        return chunks.isPresent();
    }

    private Reply conclude(MessageReceiver receiver) {
        return rejection(receiver)
                .orElseGet(() -> pipeline.conclude(receiver.spool(), new NextHopDelivery(receiver.spool())));
    }

    /// False if the rest of the message would be read as commands.
    boolean isFullyRead() {
        return fullyRead;
    }

    private interface ReadStep {
        void read() throws IOException;
    }

    private void read(MessageReceiver receiver, ReadStep step) throws IOException {
        long began = System.nanoTime();
        try {
            step.read();
        } catch (IOException e) {
            draft().recordLoss();
            throw e;
        } finally {
            fullyRead = receiver.ended();
            pipeline.clock().add(Stage.RECEIVE, began);
            draft().setSize(receiver.spool().sizeBytes());
        }
    }

    private Optional<Reply> rejection(MessageReceiver receiver) {
        return pipeline.findFault(receiver.spool(), client.addressText())
                .or(receiver::fault)
                .map(pipeline::recordReply);
    }

    /// Delivers the message to the next hop, or stores it in the quarantine.
    private final class NextHopDelivery implements Delivery<Reply> {
        private final MessageSpool spool;

        NextHopDelivery(MessageSpool spool) {
            this.spool = spool;
        }

        @Override
        public Outcome<Reply> pass(MessageDecision decision) {
            return outcome(deliverUnchanged());
        }

        @Override
        public Outcome<Reply> tag(MessageDecision decision) throws IOException {
            return outcome(deliverTagged(decision));
        }

        @Override
        public Outcome<Reply> quarantine(MessageDecision decision) {
            return outcome(keep(decision, recipients));
        }

        @Override
        public Outcome<Reply> discard(MessageDecision decision) {
            return outcome(Replies.OK);
        }

        /// The message is quarantined first: if the next hop then defers it for the other recipients, the
        /// client sends it again and it is quarantined twice; no recipient gets it twice and none loses it.
        @Override
        public Outcome<Reply> split(MessageDecision decision, RecipientSplit.Apart split) throws IOException {
            Reply quarantineReply = split.kept().isEmpty() ? Replies.OK : keep(decision, split.keptOf(recipients));
            boolean isDone = split.delivered().isEmpty() || !quarantineReply.positive();
            return outcome(isDone ? quarantineReply : deliverToSome(decision, split));
        }

        @Override
        public Reply reply(Reply reply) {
            return reply;
        }

        private static Outcome<Reply> outcome(Reply reply) {
            return new Outcome<>(reply, reply.text());
        }

        /// Delivers in a new transaction, as the next hop has accepted recipients that must not get the
        /// message.
        private Reply deliverToSome(MessageDecision decision, RecipientSplit.Apart split) throws IOException {
            List<RcptArguments> deliverTo = split.deliveredOf(recipients);
            nextHop.close();
            nextHop = context.nextHop().begin(client.identity(mail.smtpUtf8()));
            Reply reply = mailAtNextHop();
            for (RcptArguments to : deliverTo) {
                reply = reply.positive() ? deferIfOfferChanged(rcptAtNextHop(to)) : reply;
            }
            if (!reply.positive()) {
                draft().recordNextHopReply(reply.text());
                return reply;
            }
            recipients.retainAll(deliverTo);
            return split.tagged() ? deliverTagged(decision) : deliverUnchanged();
        }

        private Reply deliverUnchanged() {
            return deliver(TagFields.format(pipeline.createFields()), spool);
        }

        private Reply deliverTagged(MessageDecision decision) throws IOException {
            String tags = TagFields.format(pipeline.createTagFields(decision));
            String prefix = pipeline.evaluation().subjectPrefix(decision);
            if (prefix.isEmpty()) {
                return deliver(tags, spool);
            }
            Optional<MessageBytes> marked = MarkedSubject.insertPrefix(spool, prefix);
            return marked.isPresent()
                    ? deliver(tags, marked.get())
                    : deliver(tags + "Subject: " + prefix + "\r\n", spool);
        }

        private Reply deliver(String fields, MessageBytes message) {
            byte[] added = (received() + fields).getBytes(StandardCharsets.ISO_8859_1);
            long began = System.nanoTime();
            Reply reply = nextHop.data(added, message);
            pipeline.clock().add(Stage.DELIVER, began);
            draft().recordNextHopReply(reply.text());
            if (reply.positive()) {
                pipeline.markDelivered();
            }
            return reply;
        }

        private Reply keep(MessageDecision decision, List<RcptArguments> quarantinedFor) {
            MessagePipeline.OriginalEnvelope original = new MessagePipeline.OriginalEnvelope(
                    client.identity(mail.smtpUtf8()),
                    mail.forwarded(),
                    quarantinedFor.stream()
                            .map(QuarantineEnvelope.Recipient::of)
                            .toList(),
                    received());
            return pipeline.quarantine(decision, original, spool);
        }

        private String received() {
            return pipeline.createTraceField(
                    client.origin(mail.smtpUtf8()),
                    recipients.stream().map(to -> to.recipient().toString()).toList());
        }
    }

    /// Ends the transaction and records its decision.
    @Override
    public void close() {
        try (pipeline) {
            chunks.ifPresent(MessageReceiver::close);
            nextHop.close();
        }
    }
}
