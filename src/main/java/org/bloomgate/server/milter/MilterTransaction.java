package org.bloomgate.server.milter;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.RecipientSplit;
import org.bloomgate.server.quarantine.QuarantineEnvelope;
import org.bloomgate.server.spool.Delivery;
import org.bloomgate.server.spool.MessagePipeline;
import org.bloomgate.server.spool.MessageSpool;
import org.bloomgate.server.spool.ReceivedField;
import org.bloomgate.server.spool.Stage;
import org.bloomgate.server.spool.TagFields;

/// One message from MAIL to the answer to its end, or to its abort. Used by the connection's thread only.
final class MilterTransaction implements AutoCloseable {
    private final MilterContext with;
    private final Negotiation negotiation;
    private final MtaClient client;
    private final ReadPath sender;
    private final String parameters;

    /// Those that were accepted, in the order of [RecipientSplit].
    private final List<ReadPath> recipients = new ArrayList<>();

    private final MessagePipeline pipeline;
    private Optional<MilterMessage> held = Optional.empty();
    private long began;

    MilterTransaction(MilterContext with, Negotiation negotiation, MtaClient client, Command.Mail begun) {
        this.with = with;
        this.negotiation = negotiation;
        this.client = client;
        sender = ReadPath.of(begun.path());
        parameters = begun.parameters();
        pipeline = new MessagePipeline(
                with.layers(), with.evaluator(), client.caller(), client.party(sender.text()), with.records());
    }

    /// Evaluates the sender. The result shows at RCPT.
    void mailFrom() {
        pipeline.mailFrom(sender.text());
    }

    Answer rcpt(String path) {
        ReadPath recipient = ReadPath.of(path);
        return client.originating() ? accepted(recipient) : evaluated(recipient);
    }

    private Answer evaluated(ReadPath recipient) {
        if (isFull()) {
            return Answer.reply(pipeline.recordRejectedRecipient(recipient.text(), Replies.TOO_MANY_RECIPIENTS));
        }
        return pipeline.senderRejection(recipient.text(), recipient.mailbox())
                .map(Answer::reply)
                .orElseGet(() -> accepted(recipient));
    }

    private boolean isFull() {
        return pipeline.draft().recipients() == with.settings().maxRecipients();
    }

    private Answer accepted(ReadPath recipient) {
        if (!isFull()) {
            pipeline.draft().recipient(recipient.text());
        }
        pipeline.evaluation().rcptTo(recipient.mailbox());
        recipients.add(recipient);
        return Answer.CONTINUE;
    }

    /// @throws ProtocolException when the body has begun
    void field(Command.Field field) throws ProtocolException {
        held().field(field);
    }

    void body(Frame piece) {
        held().body(piece);
    }

    private MilterMessage held() {
        if (held.isEmpty()) {
            began = System.nanoTime();
            MilterSettings settings = with.settings();
            held = Optional.of(new MilterMessage(
                    negotiation,
                    new MessageSpool(
                            with.memory(),
                            settings.memoryBytesPerMessage(),
                            settings.temporary(),
                            settings.maxMessageBytes())));
        }
        return held.get();
    }

    /// Evaluates the message, with the last piece of its body.
    ///
    /// @param queueId of the mail server, for the log; may be empty
    /// @return the edits, and the answer that ends the message
    List<Answer> end(Frame piece, String queueId) {
        MilterMessage mail = held();
        mail.body(piece);
        mail.finish();
        pipeline.clock().add(Stage.RECEIVE, began);
        pipeline.draft().size(mail.spool().sizeBytes());
        pipeline.draft().queueId(queueId);
        Optional<Reply> fault = fault(mail);
        if (fault.isPresent()) {
            return List.of(Answer.reply(pipeline.recordReply(fault.get())));
        }
        if (recipients.isEmpty()) {
            // A mail server that names no recipient gets the result for one without rules of its own.
            pipeline.evaluation().rcptTo("");
        }
        return pipeline.conclude(mail.spool(), new ByMailServer(mail, queueId));
    }

    private Optional<Reply> fault(MilterMessage mail) {
        return pipeline.fault(mail.spool(), client.text())
                .or(() -> mail.forged().tooMany() ? Optional.of(Replies.TOO_LARGE) : Optional.empty());
    }

    /// Answers what the mail server has to do with the message.
    private final class ByMailServer implements Delivery<List<Answer>> {
        private final MilterMessage mail;
        private final String queueId;

        ByMailServer(MilterMessage mail, String queueId) {
            this.mail = mail;
            this.queueId = queueId;
        }

        @Override
        public Outcome<List<Answer>> pass(MessageDecision decision) {
            return pass(edits());
        }

        @Override
        public Outcome<List<Answer>> tag(MessageDecision decision) {
            return tag(decision, edits());
        }

        private Outcome<List<Answer>> pass(List<Answer> edits) {
            return letThrough(inserted(TagFields.of(pipeline.evaluation().firstContact()), edits));
        }

        private Outcome<List<Answer>> tag(MessageDecision decision, List<Answer> edits) {
            return letThrough(tagged(decision, marked(decision, edits)));
        }

        @Override
        public Outcome<List<Answer>> quarantine(MessageDecision decision) {
            List<Integer> all = IntStream.range(0, recipients.size()).boxed().toList();
            return split(decision, new RecipientSplit.Apart(List.of(), all, false));
        }

        @Override
        public Outcome<List<Answer>> discard(MessageDecision decision) {
            return new Outcome<>(List.of(Answer.DISCARD), "discard");
        }

        /// The message is kept first, and the mail server drops its copy. If the answer is lost, it
        /// comes again and is kept twice. A mail server that cannot carry out the split, or that named
        /// no recipient for a release, has to try again later.
        @Override
        public Outcome<List<Answer>> split(MessageDecision decision, RecipientSplit.Apart split) {
            boolean forNobody = split.delivered().isEmpty();
            if (forNobody ? split.kept().isEmpty() : !negotiation.may(Negotiation.REMOVE_RECIPIENTS)) {
                return replied(Replies.deferred(pipeline.token()));
            }
            Reply kept = split.kept().isEmpty() ? Replies.OK : keep(decision, chosen(split.kept()));
            if (!kept.positive()) {
                return replied(kept);
            }
            return forNobody ? discard(decision) : deliverToSome(decision, split);
        }

        private Outcome<List<Answer>> replied(Reply reply) {
            return new Outcome<>(reply(reply), reply.text());
        }

        private Outcome<List<Answer>> deliverToSome(MessageDecision decision, RecipientSplit.Apart split) {
            Set<String> removed = new LinkedHashSet<>();
            recipients.forEach(recipient -> removed.add(recipient.received()));
            chosen(split.delivered()).forEach(delivered -> removed.remove(delivered.received()));
            List<Answer> edits = edits();
            removed.forEach(path -> edits.add(Answer.removeRecipient(path)));
            return split.tagged() ? tag(decision, edits) : pass(edits);
        }

        private List<ReadPath> chosen(List<Integer> numbers) {
            return numbers.stream().map(recipients::get).toList();
        }

        private Reply keep(MessageDecision decision, List<ReadPath> keptFor) {
            String received = ReceivedField.of(
                    client.origin(),
                    List.of(),
                    with.settings().hostname(),
                    pipeline.token(),
                    with.records().clock().instant());
            MessagePipeline.OriginalEnvelope original = new MessagePipeline.OriginalEnvelope(
                    client.identity(queueId),
                    "FROM:" + sender.sent() + parameters,
                    keptFor.stream()
                            .map(to -> new QuarantineEnvelope.Recipient(to.text(), "TO:" + to.sent()))
                            .toList(),
                    received);
            return pipeline.quarantine(decision, original, mail.spool());
        }

        @Override
        public List<Answer> reply(Reply reply) {
            return List.of(Answer.reply(reply));
        }

        private List<Answer> edits() {
            return negotiation.may(Negotiation.CHANGE_HEADERS)
                    ? new ArrayList<>(mail.forged().deletions())
                    : new ArrayList<>();
        }

        private List<Answer> marked(MessageDecision decision, List<Answer> edits) {
            String prefix = pipeline.evaluation().subjectPrefix(decision);
            if (!prefix.isEmpty() && negotiation.may(mail.marking())) {
                edits.add(mail.marked(prefix));
            }
            return edits;
        }

        /// The field that is inserted last comes first, and all of them below the fields that are deleted
        /// before.
        private List<Answer> tagged(MessageDecision decision, List<Answer> edits) {
            return inserted(TagFields.tags(pipeline.evaluation().firstContact(), decision, pipeline.token()), edits);
        }

        private List<Answer> inserted(List<TagFields.Field> fields, List<Answer> edits) {
            if (negotiation.may(Negotiation.ADD_HEADERS)) {
                fields.reversed()
                        .forEach(
                                field -> edits.add(Answer.insert(field.name(), negotiation.sent(" " + field.value()))));
            }
            return edits;
        }

        private Outcome<List<Answer>> letThrough(List<Answer> edits) {
            pipeline.markDelivered();
            edits.add(Answer.CONTINUE);
            return new Outcome<>(edits, "continue");
        }
    }

    /// The connection ended inside the message.
    void lost() {
        if (held.isPresent()) {
            pipeline.draft().lost();
        }
    }

    /// Records what the message came to. A transaction that ends without a recipient was no message.
    @Override
    public void close() {
        try (pipeline) {
            held.ifPresent(MilterMessage::close);
            if (pipeline.draft().recipients() > 0 || held.isPresent()) {
                with.metrics().ended(pipeline.draft());
            } else {
                pipeline.discardRecord();
            }
        }
    }
}
