package org.bloomgate.server.spool;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Token;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.evaluation.ReadingRefusedException;
import org.bloomgate.decision.evaluation.RecipientSplit;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.reports.ReportQueue;
import org.bloomgate.decision.reports.Reporter;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.quarantine.QuarantineEnvelope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The evaluation of one message for any listener, in this order: sender, recipients, parse, look up, decide,
/// act, record. A listener implements its protocol, spools the message and provides a [Delivery] that acts.
///
/// A listed sender is rejected at RCPT, not at MAIL: messages to postmaster must be accepted (RFC 5321 4.5.1),
/// and the log then names the recipient. The layers that are current at MAIL are used throughout. Used by one
/// thread at a time. [#close] records the decision and releases all resources, whatever fails before.
public final class MessagePipeline implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MessagePipeline.class);

    private final String token = Token.generate();
    private final StageClock clock = new StageClock();
    private final MessageContext.Settings settings;
    private final MailRecords records;
    private final MessageEvaluation evaluation;
    private final DecisionDraft draft;
    private boolean isDelivered;
    private boolean isRecorded = true;

    /// @param connection as the decision journal records it
    /// @param mailFrom reverse-path without brackets
    public MessagePipeline(
            MessageContext context, ConnectingClient client, Decision.Connection connection, String mailFrom) {
        this.settings = context.settings();
        this.records = context.records();
        evaluation = context.evaluator().open(context.layers().lease(), client);
        draft = new DecisionDraft(token, connection, mailFrom, evaluation);
    }

    /// The token of the message in replies, log, journal and fields.
    public String token() {
        return token;
    }

    public MessageEvaluation evaluation() {
        return evaluation;
    }

    /// The draft of the decision that will be recorded.
    public DecisionDraft draft() {
        return draft;
    }

    public StageClock clock() {
        return clock;
    }

    /// Evaluates the sender. [#createRejection] returns the result for each recipient.
    ///
    /// @param path empty for the null reverse-path, which is not evaluated
    public void evaluateSender(String path) {
        if (!path.isEmpty()) {
            long began = System.nanoTime();
            evaluation.mailFrom(path);
            clock.add(Stage.SENDER, began);
        }
    }

    /// The rejection of a recipient, if there are too many, or a listed client or sender may not send to it.
    ///
    /// @param recipient forward-path without brackets
    public Optional<Reply> findRejection(String recipient, String mailbox) {
        return isFull()
                ? Optional.of(recordRejectedRecipient(recipient, Replies.TOO_MANY_RECIPIENTS))
                : findSenderRejection(recipient, mailbox).or(() -> findBurst(recipient, mailbox));
    }

    private Optional<Reply> findBurst(String recipient, String mailbox) {
        return evaluation.isAdmitted(mailbox)
                ? Optional.empty()
                : Optional.of(recordRejectedRecipient(recipient, Replies.TOO_MANY_NEW_RECIPIENTS));
    }

    private boolean isFull() {
        return draft.recipients() == settings.maxRecipients();
    }

    private Optional<Reply> findSenderRejection(String recipient, String mailbox) {
        return evaluation.refusal(mailbox).map(decision -> {
            Reply reply = createRejection(decision);
            draft.addRecipient(recipient);
            draft.recordDecision(decision, reply.text());
            return reply;
        });
    }

    /// Records a recipient that is rejected for another reason.
    public Reply recordRejectedRecipient(String recipient, Reply reply) {
        draft.addRejected(recipient, reply.text());
        return reply;
    }

    /// Adds an accepted recipient. One above the limit is evaluated, but not recorded.
    public void addRecipient(String recipient, String mailbox) {
        if (!isFull()) {
            draft.addRecipient(recipient);
        }
        evaluation.rcptTo(mailbox);
    }

    /// Evaluates the spooled message and acts on the decision.
    ///
    /// @return the answer for the client
    public <A> A conclude(MessageSpool spool, Delivery<A> delivery) {
        try {
            inspect(spool);
            long began = System.nanoTime();
            MessageDecision decision = evaluation.decide(spool::open);
            evaluation.authentication().ifPresent(_ -> clock.add(Stage.AUTHENTICATE, began));
            Delivery.Outcome<A> outcome = actAndReport(decision, spool, delivery);
            draft.recordDecision(decision, outcome.recorded());
            return outcome.answer();
        } catch (ReadingRefusedException e) {
            LOG.debug("message {}: deferred: {}", token, e.getMessage());
            return delivery.reply(recordReply(Replies.TOO_BUSY));
        } catch (InterruptedIOException e) {
            LOG.debug("message {}: inspection interrupted: the session has ended", token);
            return delivery.reply(recordReply(Replies.LOCAL_ERROR));
        } catch (IOException e) {
            LOG.error("message {}: spool not readable: {}", token, IoText.describe(e));
            return delivery.reply(recordReply(Replies.LOCAL_ERROR));
        }
    }

    private void inspect(MessageSpool spool) throws IOException {
        long began = System.nanoTime();
        evaluation.message(spool::open, spool.sizeBytes());
        evaluation.fault().ifPresent(fault -> LOG.error("message {}: not fully inspected: {}", token, fault));
        clock.add(Stage.READ, began);
        began = System.nanoTime();
        evaluation.lookUp();
        clock.add(Stage.LOOKUP, began);
    }

    /// Acts on the decision. A report is stored before its message is delivered, and removed again if it is not.
    private <A> Delivery.Outcome<A> actAndReport(MessageDecision decision, MessageSpool spool, Delivery<A> delivery)
            throws IOException {
        if (records.reports().isEmpty() || !evaluation.isToReports()) {
            return act(decision, delivery);
        }
        ReportQueue queue = records.reports().get();
        if (evaluation.reporter().isEmpty()) {
            queue.count(
                    decision.enforced() == Action.DEFER
                            ? ReportQueue.Handling.DEFERRED
                            : ReportQueue.Handling.UNPROVEN);
            return act(decision, delivery);
        }
        Reporter reporter = new Reporter(
                evaluation.reporter().get(),
                Network.ofClient(evaluation.caller().addressText()));
        Optional<Path> report = queue.add(token, records.clock().instant(), reporter, spool::open);
        if (report.isEmpty()) {
            return replyWith(delivery, Replies.REPORTS_FULL);
        }
        try {
            return act(decision, delivery);
        } finally {
            queue.end(report.get(), isDelivered);
        }
    }

    private <A> Delivery.Outcome<A> act(MessageDecision decision, Delivery<A> delivery) throws IOException {
        if (decision.split() instanceof RecipientSplit.Apart apart) {
            return delivery.split(decision, apart);
        }
        return switch (decision.enforced()) {
            case PASS -> delivery.pass(decision);
            case TAG -> delivery.tag(decision);
            case QUARANTINE -> delivery.quarantine(decision);
            case DISCARD -> delivery.discard(decision);
            case DEFER -> {
                evaluation.deferred(decision);
                yield replyWith(delivery, createDeferral(decision));
            }
            case REJECT -> replyWith(delivery, createRejection(decision));
        };
    }

    private static <A> Delivery.Outcome<A> replyWith(Delivery<A> delivery, Reply reply) {
        return new Delivery.Outcome<>(delivery.reply(reply), reply.text());
    }

    private Reply createDeferral(MessageDecision decision) {
        return decision.findings().isEmpty() && !Policy.isOfSignal(decision.result())
                ? Replies.unchecked(token)
                : Replies.deferred(token);
    }

    private Reply createRejection(MessageDecision decision) {
        return Replies.refused(evaluation.refusalText(token, decision));
    }

    /// The trace field of this gateway, complete with CRLF.
    ///
    /// @param recipients forward-paths in brackets; none if they must not be named
    public String createTraceField(ReceivedField.Origin origin, List<String> recipients) {
        return ReceivedField.format(
                origin, recipients, settings.hostname(), token, records.clock().instant());
    }

    /// The fields added to a message that is delivered unchanged.
    public List<TagFields.Field> createFields() {
        return TagFields.createHistoryFields(evaluation.facts(), records.clock().instant());
    }

    /// The fields added to a message that is delivered tagged, or quarantined.
    public List<TagFields.Field> createTagFields(MessageDecision decision) {
        List<TagFields.Field> fields = new ArrayList<>(createFields());
        fields.addAll(TagFields.createDecisionFields(decision, token));
        return fields;
    }

    /// The envelope of a quarantined message, for its release.
    ///
    /// @param mail arguments of MAIL for the next hop, one byte for each character
    /// @param recipients for which it is quarantined
    /// @param received the complete trace field to add, one byte for each character
    public record OriginalEnvelope(
            ClientIdentity client, String mail, List<QuarantineEnvelope.Recipient> recipients, String received) {}

    /// Stores the message in the quarantine. It is on disk if the reply is positive.
    ///
    /// @return 250 with the token, or a temporary error, whose cause is logged
    public Reply quarantine(MessageDecision decision, OriginalEnvelope original, MessageSpool spool) {
        QuarantineEnvelope envelope = new QuarantineEnvelope(
                token,
                records.clock().instant(),
                original.client(),
                draft.mailFrom(),
                original.mail(),
                original.recipients(),
                decision.verdict().label(),
                decision.reason(),
                evaluation.from(),
                evaluation.subject(),
                decision.feed(),
                decision.category(),
                decision.value());
        String addedFields = original.received() + TagFields.format(createTagFields(decision));
        long began = System.nanoTime();
        try {
            boolean stored =
                    records.quarantine().store(envelope, addedFields.getBytes(StandardCharsets.ISO_8859_1), spool);
            return stored ? Replies.kept(token) : Replies.DISK_FULL;
        } catch (IOException e) {
            LOG.error("message {}: not quarantined: {}", token, IoText.describe(e));
            return Replies.LOCAL_ERROR;
        } finally {
            clock.add(Stage.KEEP, began);
        }
    }

    /// The reply to a message that could not be spooled, which is logged.
    ///
    /// @param client for the log
    public Optional<Reply> findFault(MessageSpool spool, String client) {
        return spool.fault().map(fault -> {
            LOG.warn("message {}: not received from client {}: {}", token, client, spool.faultText());
            return switch (fault) {
                case TOO_LARGE -> Replies.TOO_LARGE;
                case DISK -> Replies.DISK_FULL;
            };
        });
    }

    /// Records a reply that was decided without the policy.
    public Reply recordReply(Reply reply) {
        draft.recordReply(reply.code() / 100 == 5 ? Action.REJECT : Action.DEFER, reply.text());
        return reply;
    }

    /// Marks the message as delivered: its keys and its sender will be recorded.
    public void markDelivered() {
        isDelivered = true;
    }

    /// Makes [#close()] record nothing, for a transaction without a message.
    public void discardRecord() {
        isRecorded = false;
    }

    @Override
    public void close() {
        try (evaluation) {
            if (isDelivered) {
                records.recordDelivered(token, evaluation);
            }
        } finally {
            if (isRecorded) {
                records.metrics().registerCounters(draft, clock);
                records.journal().record(draft.createDecision(records.clock().instant(), clock.millis()));
            }
        }
    }
}
