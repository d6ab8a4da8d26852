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
import org.bloomgate.server.spool.Stage;
import org.bloomgate.server.spool.TagFields;

/// One message, from MAIL to the response to its end, or to its abort. Used by the connection's thread only.
final class MilterTransaction implements AutoCloseable {
    private final MilterContext context;
    private final Negotiation negotiation;
    private final MtaClient client;
    private final EnvelopePath sender;
    private final String parameters;

    /// The accepted recipients, in the order of [RecipientSplit].
    private final List<EnvelopePath> recipients = new ArrayList<>();

    private final MessagePipeline pipeline;
    private Optional<MilterMessage> message = Optional.empty();
    private long beganNanos;

    MilterTransaction(MilterContext context, Negotiation negotiation, MtaClient client, Command.Mail command) {
        this.context = context;
        this.negotiation = negotiation;
        this.client = client;
        sender = EnvelopePath.parse(command.path());
        parameters = command.parameters();
        pipeline = new MessagePipeline(
                context.messages(), client.toConnectingClient(), client.toJournalConnection(), sender.text());
    }

    /// Evaluates the sender, which may be rejected at RCPT.
    void evaluateSender() {
        pipeline.evaluateSender(sender.text());
    }

    MilterResponse addRecipient(String path) {
        EnvelopePath recipient = EnvelopePath.parse(path);
        return client.isOriginating() ? accept(recipient) : evaluate(recipient);
    }

    private MilterResponse evaluate(EnvelopePath recipient) {
        return pipeline.findRejection(recipient.text(), recipient.mailbox())
                .map(MilterResponse::reply)
                .orElseGet(() -> accept(recipient));
    }

    private MilterResponse accept(EnvelopePath recipient) {
        pipeline.addRecipient(recipient.text(), recipient.mailbox());
        recipients.add(recipient);
        return MilterResponse.CONTINUE;
    }

    /// @throws ProtocolException if the body has begun
    void addField(Command.Field field) throws ProtocolException {
        openMessage().addField(field);
    }

    void addBody(Frame piece) {
        openMessage().addBody(piece);
    }

    private MilterMessage openMessage() {
        if (message.isEmpty()) {
            beganNanos = System.nanoTime();
            MessageSpool spool =
                    context.messages().createSpool(context.settings().maxMessageBytes());
            message = Optional.of(new MilterMessage(negotiation, spool));
        }
        return message.get();
    }

    /// Evaluates the message, with the last piece of its body.
    ///
    /// @param queueId of the mail server, for the log; may be empty
    /// @return the edits, and the response that ends the message
    List<MilterResponse> end(Frame piece, String queueId) {
        MilterMessage message = openMessage();
        message.addBody(piece);
        message.finish();
        pipeline.clock().add(Stage.RECEIVE, beganNanos);
        pipeline.draft().setSize(message.spool().sizeBytes());
        pipeline.draft().setQueueId(queueId);
        Optional<Reply> fault = findFault(message);
        if (fault.isPresent()) {
            return List.of(MilterResponse.reply(pipeline.recordReply(fault.get())));
        }
        if (recipients.isEmpty()) {
            // A mail server that names no recipient gets the result for one without its own rules.
            pipeline.evaluation().rcptTo("");
        }
        return pipeline.conclude(message.spool(), new MilterDelivery(message, queueId));
    }

    private Optional<Reply> findFault(MilterMessage message) {
        return pipeline.findFault(message.spool(), client.describe())
                .or(() -> message.forgedFields().hasTooMany() ? Optional.of(Replies.TOO_LARGE) : Optional.empty());
    }

    /// Responds with the edits and the action that the mail server must carry out.
    private final class MilterDelivery implements Delivery<List<MilterResponse>> {
        private final MilterMessage message;
        private final String queueId;

        MilterDelivery(MilterMessage message, String queueId) {
            this.message = message;
            this.queueId = queueId;
        }

        @Override
        public Outcome<List<MilterResponse>> pass(MessageDecision decision) {
            return pass(edits());
        }

        @Override
        public Outcome<List<MilterResponse>> tag(MessageDecision decision) {
            return tag(decision, edits());
        }

        private Outcome<List<MilterResponse>> pass(List<MilterResponse> edits) {
            return deliver(withFields(pipeline.createFields(), edits));
        }

        private Outcome<List<MilterResponse>> tag(MessageDecision decision, List<MilterResponse> edits) {
            return deliver(withTags(decision, withMarkedSubject(decision, edits)));
        }

        @Override
        public Outcome<List<MilterResponse>> quarantine(MessageDecision decision) {
            List<Integer> all = IntStream.range(0, recipients.size()).boxed().toList();
            return split(decision, new RecipientSplit.Apart(List.of(), all, false));
        }

        @Override
        public Outcome<List<MilterResponse>> discard(MessageDecision decision) {
            return new Outcome<>(List.of(MilterResponse.DISCARD), "discard");
        }

        /// The message is quarantined first, and the mail server drops its copy. If the response is lost, the
        /// message is sent again and quarantined twice. If the mail server cannot remove recipients, or named
        /// no recipient for a later release, the message is deferred.
        @Override
        public Outcome<List<MilterResponse>> split(MessageDecision decision, RecipientSplit.Apart split) {
            boolean withoutDelivery = split.delivered().isEmpty();
            if (withoutDelivery ? split.kept().isEmpty() : !negotiation.supports(Negotiation.REMOVE_RECIPIENTS)) {
                return replyWith(Replies.deferred(pipeline.token()));
            }
            Reply quarantineReply =
                    split.kept().isEmpty() ? Replies.OK : quarantineFor(decision, split.keptOf(recipients));
            if (!quarantineReply.positive()) {
                return replyWith(quarantineReply);
            }
            return withoutDelivery ? discard(decision) : deliverToSome(decision, split);
        }

        private Outcome<List<MilterResponse>> replyWith(Reply reply) {
            return new Outcome<>(reply(reply), reply.text());
        }

        private Outcome<List<MilterResponse>> deliverToSome(MessageDecision decision, RecipientSplit.Apart split) {
            Set<String> removed = new LinkedHashSet<>();
            recipients.forEach(recipient -> removed.add(recipient.received()));
            split.deliveredOf(recipients).forEach(delivered -> removed.remove(delivered.received()));
            List<MilterResponse> edits = edits();
            removed.forEach(path -> edits.add(MilterResponse.removeRecipient(path)));
            return split.tagged() ? tag(decision, edits) : pass(edits);
        }

        private Reply quarantineFor(MessageDecision decision, List<EnvelopePath> quarantinedFor) {
            MessagePipeline.OriginalEnvelope original = new MessagePipeline.OriginalEnvelope(
                    client.toIdentity(queueId),
                    "FROM:" + sender.sent() + parameters,
                    quarantinedFor.stream()
                            .map(to -> new QuarantineEnvelope.Recipient(to.text(), "TO:" + to.sent()))
                            .toList(),
                    pipeline.createTraceField(client.toOrigin(), List.of()));
            return pipeline.quarantine(decision, original, message.spool());
        }

        @Override
        public List<MilterResponse> reply(Reply reply) {
            return List.of(MilterResponse.reply(reply));
        }

        private List<MilterResponse> edits() {
            return negotiation.supports(Negotiation.CHANGE_HEADERS)
                    ? new ArrayList<>(message.forgedFields().createDeletions())
                    : new ArrayList<>();
        }

        private List<MilterResponse> withMarkedSubject(MessageDecision decision, List<MilterResponse> edits) {
            String prefix = pipeline.evaluation().subjectPrefix(decision);
            if (!prefix.isEmpty() && negotiation.supports(message.findMarkingEdit())) {
                edits.addAll(message.markSubjects(prefix));
            }
            return edits;
        }

        /// Inserts the fields of the decision. The field inserted last comes first in the message.
        private List<MilterResponse> withTags(MessageDecision decision, List<MilterResponse> edits) {
            return withFields(pipeline.createTagFields(decision), edits);
        }

        private List<MilterResponse> withFields(List<TagFields.Field> fields, List<MilterResponse> edits) {
            if (negotiation.supports(Negotiation.ADD_HEADERS)) {
                fields.reversed()
                        .forEach(field -> edits.add(
                                MilterResponse.insert(field.name(), negotiation.toWireValue(" " + field.value()))));
            }
            return edits;
        }

        private Outcome<List<MilterResponse>> deliver(List<MilterResponse> edits) {
            pipeline.markDelivered();
            edits.add(MilterResponse.CONTINUE);
            return new Outcome<>(edits, "continue");
        }
    }

    /// Records that the connection ended inside the message.
    void recordLoss() {
        if (message.isPresent()) {
            pipeline.draft().recordLoss();
        }
    }

    /// Records the decision, unless the transaction ends without a recipient and without a message.
    @Override
    public void close() {
        try (pipeline) {
            message.ifPresent(MilterMessage::close);
            if (pipeline.draft().recipients() > 0 || message.isPresent()) {
                context.metrics().countMessage(pipeline.draft());
            } else {
                pipeline.discardRecord();
            }
        }
    }
}
