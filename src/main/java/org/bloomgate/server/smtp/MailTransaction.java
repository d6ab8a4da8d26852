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
import org.bloomgate.server.nexthop.MessageBytes;
import org.bloomgate.server.nexthop.NextHopTransaction;
import org.bloomgate.server.quarantine.QuarantineEnvelope;
import org.bloomgate.server.spool.Delivery;
import org.bloomgate.server.spool.MarkedSubject;
import org.bloomgate.server.spool.MessagePipeline;
import org.bloomgate.server.spool.MessageSpool;
import org.bloomgate.server.spool.ReceivedField;
import org.bloomgate.server.spool.Stage;
import org.bloomgate.server.spool.TagFields;

/// One message transaction from MAIL to the reply to its final dot. The message is evaluated before the next hop sees
/// its DATA, so that a refused one never gets its dot.
final class MailTransaction implements AutoCloseable {
    private final SessionContext with;
    private final Client client;
    private final MailArguments mail;
    private final EhloExtensions offer;
    private final MessagePipeline pipeline;
    private NextHopTransaction nextHop;
    private final List<RcptArguments> recipients = new ArrayList<>();
    private Optional<MessageReceiver> chunks = Optional.empty();
    private boolean readToItsEnd = true;

    MailTransaction(SessionContext with, Client client, MailArguments mail, EhloExtensions offer) {
        this.with = with;
        this.client = client;
        this.mail = mail;
        this.offer = offer;
        pipeline = new MessagePipeline(
                with.layers(),
                with.evaluator(),
                client.caller(),
                new DecisionDraft.Party(
                        client.addressText(),
                        client.heloText(),
                        client.tls(),
                        mail.sender().text()),
                with.records());
        nextHop = begin();
    }

    private NextHopTransaction begin() {
        try {
            return with.nextHop().begin(client.identity(mail.smtpUtf8()));
        } catch (RuntimeException e) {
            pipeline.withoutRecord();
            pipeline.close();
            throw e;
        }
    }

    /// Evaluates the sender, then MAIL at the next hop.
    Reply mail() {
        pipeline.mailFrom(mail.sender().text());
        long began = System.nanoTime();
        Reply reply = nextHop.mail(mail.forwarded());
        pipeline.clock().add(Stage.ENVELOPE, began);
        draft().nextHop(reply.text());
        if (!reply.positive()) {
            draft().undecided(reply.text());
        }
        return honest(reply);
    }

    /// If the next hop has lost an extension since EHLO, or was not known then, its refusal may concern an
    /// extension that we offered: that is not a verdict on the message.
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
        Optional<Reply> denied = with.relayControl().refusal(client.address(), recipient);
        if (denied.isPresent()) {
            return pipeline.refused(recipient.text(), denied.get());
        }
        if (draft().recipients() == with.options().limits().maxRecipients()) {
            return pipeline.refused(recipient.text(), Replies.TOO_MANY_RECIPIENTS);
        }
        Optional<Reply> ofSender = pipeline.refusalOfSender(recipient.text(), recipient.mailbox());
        if (ofSender.isPresent()) {
            return ofSender.get();
        }
        Reply reply = honest(handOn(to));
        if (!reply.positive()) {
            return pipeline.refused(recipient.text(), reply);
        }
        recipients.add(to);
        draft().recipient(recipient.text());
        pipeline.evaluation().rcptTo(recipient.mailbox());
        return reply;
    }

    private DecisionDraft draft() {
        return pipeline.draft();
    }

    private Reply handOn(RcptArguments to) {
        long began = System.nanoTime();
        Reply reply = nextHop.rcpt(to.forwarded());
        pipeline.clock().add(Stage.ENVELOPE, began);
        draft().nextHop(reply.text());
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
        return refusal(intake).orElseGet(() -> pipeline.conclude(intake.spool(), new ToNextHop(intake.spool())));
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
            draft().lost();
            throw e;
        } finally {
            readToItsEnd = intake.ended();
            pipeline.clock().add(Stage.RECEIVE, began);
            draft().size(intake.spool().sizeBytes());
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
        return pipeline.fault(intake.spool(), client.addressText())
                .or(intake::fault)
                .map(pipeline::answered);
    }

    /// Hands the message to the next hop, or keeps it in the quarantine.
    private final class ToNextHop implements Delivery<Reply> {
        private final MessageSpool spool;

        ToNextHop(MessageSpool spool) {
            this.spool = spool;
        }

        @Override
        public Outcome<Reply> pass(MessageDecision decision) {
            return outcome(deliver("", spool));
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

        /// The message is kept first: if the next hop then defers it for the other recipients, it comes again and is
        /// kept twice; no recipient gets it twice and none loses it.
        @Override
        public Outcome<Reply> split(MessageDecision decision, RecipientSplit.Apart split) throws IOException {
            Reply kept = split.kept().isEmpty() ? Replies.OK : keep(decision, chosen(split.kept()));
            boolean isOver = split.delivered().isEmpty() || !kept.positive();
            return outcome(isOver ? kept : deliverToSome(decision, split));
        }

        @Override
        public Reply reply(Reply reply) {
            return reply;
        }

        private static Outcome<Reply> outcome(Reply reply) {
            return new Outcome<>(reply, reply.text());
        }

        private List<RcptArguments> chosen(List<Integer> numbers) {
            return numbers.stream().map(recipients::get).toList();
        }

        /// Delivers in a new transaction, as the next hop has accepted recipients who do not get the message.
        private Reply deliverToSome(MessageDecision decision, RecipientSplit.Apart split) throws IOException {
            List<RcptArguments> some = chosen(split.delivered());
            nextHop.close();
            nextHop = with.nextHop().begin(client.identity(mail.smtpUtf8()));
            Reply reply = honest(nextHop.mail(mail.forwarded()));
            for (RcptArguments to : some) {
                reply = reply.positive() ? honest(handOn(to)) : reply;
            }
            if (!reply.positive()) {
                draft().nextHop(reply.text());
                return reply;
            }
            recipients.retainAll(some);
            return split.tagged() ? deliverTagged(decision) : deliver("", spool);
        }

        private Reply deliverTagged(MessageDecision decision) throws IOException {
            String tags = TagFields.of(decision, pipeline.token());
            String prefix = pipeline.evaluation().subjectPrefix(decision);
            if (prefix.isEmpty()) {
                return deliver(tags, spool);
            }
            Optional<MessageBytes> marked = MarkedSubject.of(spool, prefix);
            return marked.isPresent()
                    ? deliver(tags, marked.get())
                    : deliver(tags + "Subject: " + prefix + "\r\n", spool);
        }

        private Reply deliver(String tags, MessageBytes message) {
            long began = System.nanoTime();
            Reply reply = nextHop.data(top(tags), message);
            pipeline.clock().add(Stage.DELIVER, began);
            draft().nextHop(reply.text());
            if (reply.positive()) {
                pipeline.delivered();
            }
            return reply;
        }

        private Reply keep(MessageDecision decision, List<RcptArguments> keptFor) {
            MessagePipeline.SentAs sentAs = new MessagePipeline.SentAs(
                    client.identity(mail.smtpUtf8()),
                    mail.forwarded(),
                    keptFor.stream().map(QuarantineEnvelope.Recipient::of).toList(),
                    received());
            return pipeline.keep(decision, sentAs, spool);
        }

        private byte[] top(String tags) {
            String contact = TagFields.text(TagFields.of(pipeline.evaluation().firstContact()));
            return (received() + contact + tags).getBytes(StandardCharsets.ISO_8859_1);
        }

        private String received() {
            return ReceivedField.of(
                    client.origin(mail.smtpUtf8()),
                    recipients.stream().map(to -> to.recipient().toString()).toList(),
                    with.options().hostname(),
                    pipeline.token(),
                    with.records().clock().instant());
        }
    }

    /// Ends the transaction and records what it came to.
    @Override
    public void close() {
        try (pipeline) {
            chunks.ifPresent(MessageReceiver::close);
            nextHop.close();
        }
    }
}
