package org.bloomgate.server.nexthop;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A transaction over a pooled connection, which is lent while this waits for the client: if another
/// transaction has the connection at the next step, the envelope is sent again on another one.
///
/// After a fault, every further step returns the reply of that fault, without contacting the next hop again.
final class SmtpNextHopTransaction implements NextHopTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpNextHopTransaction.class);
    private static final byte[] NO_FIELDS = {};

    private final NextHopPool pool;
    private final ClientIdentity client;
    private final NextHopOptions options;
    private final Chunking chunking;
    private final MixedReplies mixed;
    private final RecentReplies replies;
    private Optional<SmtpConnection> held = Optional.empty();
    private Reply replyWithoutConnection = Reply.of(503, "5.5.1", "MAIL first");
    private String sender = "";
    private final List<String> recipients = new ArrayList<>();
    private boolean completed;

    SmtpNextHopTransaction(
            NextHopPool pool,
            ClientIdentity client,
            NextHopOptions options,
            Chunking chunking,
            MixedReplies mixed,
            RecentReplies replies) {
        this.replies = replies;
        this.pool = pool;
        this.mixed = mixed;
        this.client = client;
        this.options = options;
        this.chunking = chunking;
    }

    @Override
    public Reply mail(String arguments) {
        sender = arguments;
        try {
            Reply reply = begin();
            lend();
            replies.addRecipient(reply);
            return reply;
        } catch (NextHopFault fault) {
            return fail(fault);
        }
    }

    private Reply begin() throws NextHopFault {
        SmtpConnection connection = use(pool.take());
        if (!connection.used()) {
            return mail(connection);
        }
        try {
            return mail(connection);
        } catch (NextHopFault stale) {
            LOG.debug("stale: {}", stale.detail());
            dropConnection();
            return mail(use(pool.takeFresh()));
        }
    }

    private void lend() {
        if (!completed) {
            held.ifPresent(connection -> pool.lend(this, connection));
        }
    }

    /// The connection, or another one with the same envelope if this one was taken.
    private SmtpConnection reclaimed() throws NextHopFault {
        SmtpConnection connection = held.orElseThrow();
        if (pool.reclaim(this)) {
            return connection;
        }
        held = Optional.empty();
        requirePositive(begin());
        return withRecipients(held.orElseThrow());
    }

    private Reply mail(SmtpConnection connection) throws NextHopFault {
        List<String> identity = options.xforward() ? NextHopXforward.commands(client, connection.hello()) : List.of();
        return connection.mail(identity, "MAIL " + sender);
    }

    @Override
    public Reply rcpt(String arguments) {
        if (!recipients.isEmpty()
                && (mixed.contains(sender, arguments) || mixed.contains(sender, recipients.getFirst()))) {
            return Replies.TOO_MANY_RECIPIENTS;
        }
        return step(connection -> {
            Reply reply = rcpt(connection, arguments);
            if (reply.positive()) {
                recipients.add(arguments);
            }
            replies.addRecipient(reply);
            return reply;
        });
    }

    private Reply rcpt(SmtpConnection connection, String arguments) throws NextHopFault {
        return connection.command("RCPT " + arguments, options.timeouts().rcpt());
    }

    @Override
    public Reply data(byte[] top, MessageBytes message) {
        if (recipients.isEmpty()) {
            return held.isEmpty() ? replyWithoutConnection : Reply.of(503, "5.5.1", "RCPT first");
        }
        return step(connection -> {
            Reply reply = top.length > 0 && chunking.isUsableFor(connection)
                    ? byBdat(connection, top, message)
                    : byData(connection, top, message);
            replies.add(reply);
            return reply;
        });
    }

    /// If the connection is lost at DATA, the client may only have taken longer for its message than the next
    /// hop waits for a command; so the transaction is repeated.
    private Reply byData(SmtpConnection connection, byte[] top, MessageBytes message) throws NextHopFault {
        Reply dataReply;
        try {
            dataReply = connection.data();
        } catch (NextHopFault fault) {
            return againIfLost(fault, top, message);
        }
        return sendIfInvited(dataReply, connection, top, message);
    }

    private Reply sendIfInvited(Reply dataReply, SmtpConnection connection, byte[] top, MessageBytes message)
            throws NextHopFault {
        return dataReply.code() == SmtpConnection.START_DATA
                ? send(connection, () -> connection.message(top, message))
                : dataReply;
    }

    private Reply byBdat(SmtpConnection connection, byte[] top, MessageBytes message) throws NextHopFault {
        return connection.hasAcceptedChunk()
                ? inOneChunk(connection, top, message)
                : fieldsFirst(connection, top, message);
    }

    /// On a connection that has not accepted a chunk yet, Bloomgate's own fields are sent first, in their own
    /// chunk. A server that does not know BDAT after all reads only them as commands, and nothing that the
    /// sender wrote.
    private Reply fieldsFirst(SmtpConnection connection, byte[] top, MessageBytes message) throws NextHopFault {
        Reply reply;
        try {
            reply = connection.chunk(top);
        } catch (NextHopFault fault) {
            return againIfLost(fault, top, message);
        }
        if (chunking.recordIfBdatUnknown(connection, reply)) {
            return again(top, message);
        }
        return reply.positive() ? send(connection, () -> connection.lastChunk(NO_FIELDS, message)) : reply;
    }

    /// Sends the message as one chunk. If the first write fails, the next hop cannot have all bytes, so it has
    /// not accepted the message.
    private Reply inOneChunk(SmtpConnection connection, byte[] top, MessageBytes message) throws NextHopFault {
        long writes = connection.writes();
        try {
            return send(connection, () -> connection.lastChunk(top, message));
        } catch (NextHopFault fault) {
            if (connection.writes() > writes) {
                throw fault;
            }
            return againIfLost(fault, top, message);
        }
    }

    private Reply againIfLost(NextHopFault fault, byte[] top, MessageBytes message) throws NextHopFault {
        if (fault.kind() != NextHopFault.Kind.LOST) {
            throw fault;
        }
        LOG.debug("lost before the message: {}", fault.detail());
        return again(top, message);
    }

    /// Repeats the transaction: the next hop has no part of the message yet.
    private Reply again(byte[] top, MessageBytes message) throws NextHopFault {
        dropConnection();
        SmtpConnection fresh = withEnvelope(use(pool.takeFresh()));
        return sendIfInvited(fresh.data(), fresh, top, message);
    }

    private SmtpConnection withEnvelope(SmtpConnection fresh) throws NextHopFault {
        requirePositive(mail(fresh));
        return withRecipients(fresh);
    }

    private SmtpConnection withRecipients(SmtpConnection connection) throws NextHopFault {
        for (String recipient : recipients) {
            requirePositive(rcpt(connection, recipient));
        }
        return connection;
    }

    private static void requirePositive(Reply reply) throws NextHopFault {
        if (!reply.positive()) {
            throw new NextHopFault(
                    NextHopFault.Kind.LOST,
                    "closed, and rejects the same envelope on another connection: " + reply.code());
        }
    }

    /// Sends the message and reads the reply to its end. Without that reply the connection is closed, as a
    /// message cannot be cancelled. A rejection is followed by RSET, as not every server discards the envelope:
    /// Postfix keeps it if its `smtpd_end_of_data_restrictions` reject.
    private Reply send(SmtpConnection connection, Sending sending) throws NextHopFault {
        boolean answered = false;
        try {
            Optional<Reply> early = sending.send();
            if (early.isPresent()) {
                return early.get();
            }
            Reply reply = connection.afterDot(recipients.size());
            if (connection.isMixed()) {
                mixed.remember(sender, recipients);
            }
            answered = true;
            completed = reply.positive();
            return reply;
        } finally {
            if (!answered) {
                dropConnection();
            }
        }
    }

    private interface Sending {
        Optional<Reply> send() throws NextHopFault;
    }

    private interface Step {
        Reply take(SmtpConnection connection) throws NextHopFault;
    }

    private Reply step(Step step) {
        if (held.isEmpty()) {
            return replyWithoutConnection;
        }
        try {
            Reply reply = step.take(reclaimed());
            lend();
            return reply;
        } catch (NextHopFault fault) {
            return fail(fault);
        }
    }

    private Reply fail(NextHopFault fault) {
        LOG.warn("{}", fault.detail());
        pool.countFault(fault.kind());
        if (fault.kind() != NextHopFault.Kind.UNSENDABLE) {
            replies.add(fault.reply());
        }
        dropConnection();
        replyWithoutConnection = fault.reply();
        return replyWithoutConnection;
    }

    private SmtpConnection use(SmtpConnection connection) {
        held = Optional.of(connection);
        return connection;
    }

    private void dropConnection() {
        held.ifPresent(pool::drop);
        held = Optional.empty();
    }

    @Override
    public void close() {
        if (!completed && held.isPresent()) {
            reset();
        }
        held.ifPresent(pool::giveBack);
        held = Optional.empty();
    }

    private void reset() {
        if (!pool.reclaim(this)) {
            held = Optional.empty();
            return;
        }
        try {
            Reply _ = held.orElseThrow().reset();
        } catch (NextHopFault fault) {
            Reply _ = fail(fault);
        }
    }
}
