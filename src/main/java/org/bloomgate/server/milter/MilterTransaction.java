package org.bloomgate.server.milter;

import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.evaluation.RecipientSplit;
import org.bloomgate.decision.keyjournal.MailKeys;
import org.bloomgate.decision.policy.Action;
import org.bloomgate.server.spool.MessageSpool;
import org.bloomgate.server.spool.Stage;
import org.bloomgate.server.spool.StageClock;
import org.bloomgate.server.spool.TagFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One mail from MAIL to the answer to its end, or to its abort. The layers in force at MAIL are asked throughout.
/// Belongs to the connection's thread.
final class MilterTransaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MilterTransaction.class);

    private final MilterContext with;
    private final Negotiation negotiation;
    private final MtaClient client;
    private final ReadPath sender;
    private final String token = Token.next();
    private final StageClock clock = new StageClock();
    private final MessageEvaluation evaluation;
    private final DecisionDraft draft;
    private Optional<MilterMessage> held = Optional.empty();
    private long began;
    private boolean anyAccepted;
    private boolean letThrough;

    /// @param path the reverse-path as it stands
    MilterTransaction(MilterContext with, Negotiation negotiation, MtaClient client, String path) {
        this.with = with;
        this.negotiation = negotiation;
        this.client = client;
        sender = ReadPath.of(path);
        evaluation = with.evaluator().open(with.layers().lease(), client.caller());
        draft = new DecisionDraft(token, client.party(sender.text()), evaluation);
    }

    /// Evaluates the sender. What comes of it is said at RCPT.
    void judgeSender() {
        if (!sender.text().isEmpty()) {
            long start = System.nanoTime();
            evaluation.mailFrom(sender.text());
            clock.add(Stage.SENDER, start);
        }
    }

    Answer rcpt(String path) {
        ReadPath recipient = ReadPath.of(path);
        return client.originating() ? accepted(recipient) : judged(recipient);
    }

    private Answer judged(ReadPath recipient) {
        if (draft.recipients() == with.settings().maxRecipients()) {
            return refused(recipient, Replies.TOO_MANY_RECIPIENTS);
        }
        Optional<MessageDecision> ofSender = evaluation.refusal(recipient.mailbox());
        if (ofSender.isPresent()) {
            return refusedForSender(recipient, ofSender.get());
        }
        return accepted(recipient);
    }

    private Answer accepted(ReadPath recipient) {
        if (draft.recipients() < with.settings().maxRecipients()) {
            draft.recipient(recipient.text());
        }
        evaluation.rcptTo(recipient.mailbox());
        anyAccepted = true;
        return Answer.CONTINUE;
    }

    private Answer refused(ReadPath recipient, Reply reply) {
        draft.refused(recipient.text(), reply.text());
        return Answer.reply(reply);
    }

    private Answer refusedForSender(ReadPath recipient, MessageDecision decision) {
        Reply reply = refusal(decision);
        draft.recipient(recipient.text());
        draft.decided(decision, reply.text());
        return Answer.reply(reply);
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
    /// @return the edits, and the answer that ends the mail
    List<Answer> end(Frame piece, String queueId) {
        MilterMessage mail = held();
        mail.body(piece);
        clock.add(Stage.RECEIVE, began);
        draft.size(mail.spool().sizeBytes());
        draft.queueId(queueId);
        Optional<Reply> fault = fault(mail);
        if (fault.isPresent()) {
            return answered(fault.get());
        }
        try {
            inspect(mail.spool());
            MessageDecision decision = rule();
            return switch (decision.split()) {
                case RecipientSplit.Together _ -> act(decision, mail);
                case RecipientSplit.Apart _ -> quarantined(decision, mail);
            };
        } catch (IOException e) {
            LOG.error("{} cannot be read back: {}", token, IoText.describe(e));
            return answered(Replies.LOCAL_ERROR);
        }
    }

    private Optional<Reply> fault(MilterMessage mail) {
        if (mail.spool().fault().isPresent()) {
            LOG.warn(
                    "{} not taken, client {}: {}",
                    token,
                    client.text(),
                    mail.spool().faultText());
            return Optional.of(
                    switch (mail.spool().fault().get()) {
                        case TOO_LARGE -> Replies.TOO_LARGE;
                        case DISK -> Replies.DISK_FULL;
                    });
        }
        return mail.forged().tooMany() ? Optional.of(Replies.TOO_LARGE) : Optional.empty();
    }

    /// A reply that comes before policy is asked, or instead of it.
    private List<Answer> answered(Reply reply) {
        draft.answered(reply.code() / 100 == 5 ? Action.REJECT : Action.DEFER, reply.text());
        return List.of(Answer.reply(reply));
    }

    private void inspect(MessageSpool spool) throws IOException {
        long start = System.nanoTime();
        try (InputStream message = spool.open()) {
            evaluation.message(message);
        }
        evaluation.fault().ifPresent(fault -> LOG.error("{} is not fully inspected: {}", token, fault));
        clock.add(Stage.READ, start);
        start = System.nanoTime();
        evaluation.lookUp();
        clock.add(Stage.LOOKUP, start);
    }

    /// A mail server that names no recipient gets the result for one without rules of its own.
    private MessageDecision rule() {
        if (!anyAccepted) {
            evaluation.rcptTo("");
        }
        return evaluation.decide();
    }

    private List<Answer> act(MessageDecision decision, MilterMessage mail) {
        return switch (decision.enforced()) {
            case PASS -> letThrough(decision, inserted(TagFields.of(evaluation.firstContact()), edits(mail)));
            case TAG -> letThrough(decision, tagged(decision, marked(decision, mail, edits(mail))));
            case QUARANTINE -> quarantined(decision, mail);
            case DISCARD -> ended(decision, Answer.DISCARD, "discard");
            case DEFER ->
                refused(decision, decision.because().isEmpty() ? Replies.unchecked(token) : Replies.deferred(token));
            case REJECT -> refused(decision, refusal(decision));
        };
    }

    private Reply refusal(MessageDecision decision) {
        return Replies.refused(evaluation.refusalText(token, decision));
    }

    private List<Answer> edits(MilterMessage mail) {
        return negotiation.may(Negotiation.CHANGE_HEADERS)
                ? new ArrayList<>(mail.forged().deletions())
                : new ArrayList<>();
    }

    private List<Answer> marked(MessageDecision decision, MilterMessage mail, List<Answer> edits) {
        String prefix = evaluation.subjectPrefix(decision);
        if (!prefix.isEmpty() && negotiation.may(mail.marking())) {
            edits.add(mail.marked(prefix));
        }
        return edits;
    }

    /// What is inserted last stands first, and all of it below the fields that are deleted before.
    private List<Answer> tagged(MessageDecision decision, List<Answer> edits) {
        return inserted(TagFields.tags(evaluation.firstContact(), decision, token), edits);
    }

    private List<Answer> inserted(List<TagFields.Field> fields, List<Answer> edits) {
        if (negotiation.may(Negotiation.ADD_HEADERS)) {
            fields.reversed()
                    .forEach(field -> edits.add(Answer.insert(field.name(), negotiation.sent(" " + field.value()))));
        }
        return edits;
    }

    private List<Answer> letThrough(MessageDecision decision, List<Answer> edits) {
        letThrough = true;
        draft.decided(decision, "continue");
        edits.add(Answer.CONTINUE);
        return edits;
    }

    /// The mail server holds it in its own queue, for all recipients: a message whose recipients have
    /// different actions is not split here. A mail server that cannot hold it is not given
    /// the mail, as nobody would look for it.
    private List<Answer> quarantined(MessageDecision decision, MilterMessage mail) {
        if (!negotiation.may(Negotiation.QUARANTINE)) {
            return refused(decision, Replies.deferred(token));
        }
        List<Answer> edits = tagged(decision, edits(mail));
        edits.add(Answer.quarantine(token + " " + TagFields.reason(decision)));
        edits.add(Answer.CONTINUE);
        draft.decided(decision, "quarantine");
        return edits;
    }

    private List<Answer> refused(MessageDecision decision, Reply reply) {
        return ended(decision, Answer.reply(reply), reply.text());
    }

    private List<Answer> ended(MessageDecision decision, Answer answer, String text) {
        draft.decided(decision, text);
        return List.of(answer);
    }

    /// The connection ended inside the mail.
    void lost() {
        if (held.isPresent()) {
            draft.lost();
        }
    }

    /// Records what the mail came to. Whatever fails on the way, everything is given back.
    @Override
    public void close() {
        try (evaluation) {
            if (letThrough) {
                evaluation.delivered();
                with.keys().begin().ifPresent(this::rememberKeys);
            }
        } finally {
            held.ifPresent(MilterMessage::close);
            record();
        }
    }

    private void rememberKeys(MailKeys keys) {
        evaluation.remember(keys);
        with.keys().delivered(token, with.clock().instant(), keys);
    }

    /// What the mail server gave up before there was a recipient was no message.
    private void record() {
        if (draft.recipients() > 0 || held.isPresent()) {
            with.metrics().ended(draft, clock);
            with.journal().record(draft.decision(with.clock().instant(), clock.millis()));
        }
    }
}
