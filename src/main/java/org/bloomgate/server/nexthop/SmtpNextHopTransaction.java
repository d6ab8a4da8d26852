package org.bloomgate.server.nexthop;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One transaction over a pooled connection, which is lent while the client is awaited: when another has it at the next
/// step, the same envelope is made on another one.
///
/// After a fault, every further step gets the reply of that fault, without contacting the next hop again.
final class SmtpNextHopTransaction implements NextHopTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpNextHopTransaction.class);
    private static final byte[] NO_FIELDS = {};

    private final NextHopPool pool;
    private final ClientIdentity client;
    private final NextHopOptions options;
    private final Chunking chunking;
    private final MixedReplies mixed;
    private Optional<SmtpConnection> held = Optional.empty();
    private Reply withoutConnection = Reply.of(503, "5.5.1", "MAIL first");
    private String sender = "";
    private final List<String> recipients = new ArrayList<>();
    private boolean ended;

    SmtpNextHopTransaction(
            NextHopPool pool, ClientIdentity client, NextHopOptions options, Chunking chunking, MixedReplies mixed) {
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
            return reply;
        } catch (NextHopFault fault) {
            return failed(fault);
        }
    }

    private Reply begin() throws NextHopFault {
        SmtpConnection connection = hold(pool.take());
        if (!connection.used()) {
            return mail(connection);
        }
        try {
            return mail(connection);
        } catch (NextHopFault stale) {
            LOG.debug("stale: {}", stale.detail());
            letGo();
            return mail(hold(pool.takeFresh()));
        }
    }

    private void lend() {
        if (!ended) {
            held.ifPresent(connection -> pool.lend(this, connection));
        }
    }

    /// The connection with the envelope so far on it.
    private SmtpConnection regained() throws NextHopFault {
        SmtpConnection connection = held.orElseThrow();
        if (pool.reclaim(this)) {
            return connection;
        }
        held = Optional.empty();
        accepted(begin());
        return withRecipients(held.orElseThrow());
    }

    private Reply mail(SmtpConnection connection) throws NextHopFault {
        List<String> identity = options.xforward() ? NextHopXforward.commands(client, connection.hello()) : List.of();
        return connection.mail(identity, "MAIL " + sender);
    }

    @Override
    public Reply rcpt(String arguments) {
        if (!recipients.isEmpty() && (mixed.knows(sender, arguments) || mixed.knows(sender, recipients.getFirst()))) {
            return Replies.TOO_MANY_RECIPIENTS;
        }
        return step(connection -> {
            Reply reply = rcpt(connection, arguments);
            if (reply.positive()) {
                recipients.add(arguments);
            }
            return reply;
        });
    }

    private Reply rcpt(SmtpConnection connection, String arguments) throws NextHopFault {
        return connection.command("RCPT " + arguments, options.timeouts().rcpt());
    }

    @Override
    public Reply data(byte[] top, MessageBytes message) {
        if (recipients.isEmpty()) {
            return held.isEmpty() ? withoutConnection : Reply.of(503, "5.5.1", "RCPT first");
        }
        return step(connection -> top.length > 0 && chunking.suits(connection)
                ? byBdat(connection, top, message)
                : byData(connection, top, message));
    }

    /// A connection lost by now may only mean that the client took longer for its message than the next hop waits for
    /// a command.
    private Reply byData(SmtpConnection connection, byte[] top, MessageBytes message) throws NextHopFault {
        Reply go;
        try {
            go = connection.data();
        } catch (NextHopFault fault) {
            return anewWhenLost(fault, top, message);
        }
        return told(go, connection, top, message);
    }

    private Reply told(Reply go, SmtpConnection connection, byte[] top, MessageBytes message) throws NextHopFault {
        return go.code() == SmtpConnection.START_DATA ? send(connection, () -> connection.message(top, message)) : go;
    }

    private Reply byBdat(SmtpConnection connection, byte[] top, MessageBytes message) throws NextHopFault {
        return connection.tookChunk() ? inOneChunk(connection, top, message) : fieldsFirst(connection, top, message);
    }

    /// On a connection that has not accepted a chunk yet, Bloomgate's own fields go first and alone. If the
    /// server does not know BDAT after all, it reads only them as commands, and nothing that a stranger wrote.
    private Reply fieldsFirst(SmtpConnection connection, byte[] top, MessageBytes message) throws NextHopFault {
        Reply reply;
        try {
            reply = connection.chunk(top);
        } catch (NextHopFault fault) {
            return anewWhenLost(fault, top, message);
        }
        if (chunking.unknown(connection, reply)) {
            return anew(top, message);
        }
        return reply.positive() ? send(connection, () -> connection.lastChunk(NO_FIELDS, message)) : reply;
    }

    /// If the first write failed, the next hop cannot have all bytes, so it has not accepted the message.
    private Reply inOneChunk(SmtpConnection connection, byte[] top, MessageBytes message) throws NextHopFault {
        long writes = connection.writes();
        try {
            return send(connection, () -> connection.lastChunk(top, message));
        } catch (NextHopFault fault) {
            if (connection.writes() > writes) {
                throw fault;
            }
            return anewWhenLost(fault, top, message);
        }
    }

    private Reply anewWhenLost(NextHopFault fault, byte[] top, MessageBytes message) throws NextHopFault {
        if (fault.kind() != NextHopFault.Kind.LOST) {
            throw fault;
        }
        LOG.debug("lost before the message: {}", fault.detail());
        return anew(top, message);
    }

    /// Nothing of the message was taken yet, so it is begun once more.
    private Reply anew(byte[] top, MessageBytes message) throws NextHopFault {
        letGo();
        SmtpConnection fresh = sameEnvelope(hold(pool.takeFresh()));
        return told(fresh.data(), fresh, top, message);
    }

    private SmtpConnection sameEnvelope(SmtpConnection fresh) throws NextHopFault {
        accepted(mail(fresh));
        return withRecipients(fresh);
    }

    private SmtpConnection withRecipients(SmtpConnection connection) throws NextHopFault {
        for (String recipient : recipients) {
            accepted(rcpt(connection, recipient));
        }
        return connection;
    }

    private static void accepted(Reply reply) throws NextHopFault {
        if (!reply.positive()) {
            throw new NextHopFault(NextHopFault.Kind.LOST, "closed, and refuses the same envelope: " + reply.code());
        }
    }

    /// There is no way back in the middle of a message: without a reply to the dot the connection is closed. A
    /// refusal at the dot is followed by RSET, as not every server forgets its envelope: Postfix keeps it if
    /// its `smtpd_end_of_data_restrictions` refuse.
    private Reply send(SmtpConnection connection, Sending sending) throws NextHopFault {
        boolean dotAnswered = false;
        try {
            Optional<Reply> early = sending.send();
            if (early.isPresent()) {
                return early.get();
            }
            Reply reply = connection.afterDot(recipients.size());
            if (connection.mixed()) {
                mixed.remember(sender, recipients);
            }
            dotAnswered = true;
            ended = reply.positive();
            return reply;
        } finally {
            if (!dotAnswered) {
                letGo();
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
            return withoutConnection;
        }
        try {
            Reply reply = step.take(regained());
            lend();
            return reply;
        } catch (NextHopFault fault) {
            return failed(fault);
        }
    }

    private Reply failed(NextHopFault fault) {
        LOG.warn("{}", fault.detail());
        pool.failed(fault.kind());
        letGo();
        withoutConnection = fault.reply();
        return withoutConnection;
    }

    private SmtpConnection hold(SmtpConnection connection) {
        held = Optional.of(connection);
        return connection;
    }

    private void letGo() {
        held.ifPresent(pool::drop);
        held = Optional.empty();
    }

    @Override
    public void close() {
        if (!ended && held.isPresent()) {
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
            Reply _ = failed(fault);
        }
    }
}
