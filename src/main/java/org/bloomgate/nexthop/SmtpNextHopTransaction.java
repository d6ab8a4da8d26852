package org.bloomgate.nexthop;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.envelope.ClientIdentity;
import org.bloomgate.envelope.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One transaction over one pooled connection.
///
/// After a fault every further step gets the reply of that fault, without the next hop being asked again.
final class SmtpNextHopTransaction implements NextHopTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpNextHopTransaction.class);

    private final NextHopPool pool;
    private final ClientIdentity client;
    private final NextHopOptions options;
    private Optional<SmtpConnection> held = Optional.empty();
    private Reply withoutConnection = Reply.of(503, "5.5.1", "MAIL first");
    private String sender = "";
    private final List<String> recipients = new ArrayList<>();
    private boolean ended;

    SmtpNextHopTransaction(NextHopPool pool, ClientIdentity client, NextHopOptions options) {
        this.pool = pool;
        this.client = client;
        this.options = options;
    }

    @Override
    public Reply mail(String arguments) {
        sender = arguments;
        try {
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
        } catch (NextHopFault fault) {
            return failed(fault);
        }
    }

    private Reply mail(SmtpConnection connection) throws NextHopFault {
        List<String> identity = options.xforward() ? NextHopXforward.commands(client, connection.hello()) : List.of();
        return connection.mail(identity, "MAIL " + sender);
    }

    @Override
    public Reply rcpt(String arguments) {
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
    public Reply data(byte[] top, MessageOctets message) {
        if (recipients.isEmpty()) {
            return held.isEmpty() ? withoutConnection : Reply.of(503, "5.5.1", "RCPT first");
        }
        return step(connection -> {
            Reply go = startData(connection);
            return go.code() == SmtpConnection.START_DATA ? send(held.get(), top, message) : go;
        });
    }

    /// A connection lost by now may only mean that the client took longer for its message than the next hop waits for
    /// a command. Nothing of the message was sent yet, so it is begun once more.
    private Reply startData(SmtpConnection connection) throws NextHopFault {
        try {
            return connection.data();
        } catch (NextHopFault fault) {
            if (fault.kind() != NextHopFault.Kind.LOST) {
                throw fault;
            }
            LOG.debug("lost before DATA: {}", fault.detail());
            letGo();
            return sameEnvelope(hold(pool.takeFresh())).data();
        }
    }

    private SmtpConnection sameEnvelope(SmtpConnection fresh) throws NextHopFault {
        accepted(mail(fresh));
        for (String recipient : recipients) {
            accepted(rcpt(fresh, recipient));
        }
        return fresh;
    }

    private static void accepted(Reply reply) throws NextHopFault {
        if (!reply.positive()) {
            throw new NextHopFault(NextHopFault.Kind.LOST, "closed, and refuses the same envelope: " + reply.code());
        }
    }

    /// In the middle of a message there is no way back: without a reply to the dot the connection goes. One refused
    /// at the dot is followed by RSET, as not every server forgets its envelope: Postfix keeps it when its
    /// `smtpd_end_of_data_restrictions` refuse.
    private Reply send(SmtpConnection connection, byte[] top, MessageOctets message) throws NextHopFault {
        boolean dotAnswered = false;
        try {
            Optional<Reply> early = connection.message(top, message);
            if (early.isPresent()) {
                return early.get();
            }
            Reply reply = connection.afterDot(recipients.size());
            dotAnswered = true;
            ended = reply.positive();
            return reply;
        } finally {
            if (!dotAnswered) {
                letGo();
            }
        }
    }

    private interface Step {
        Reply take(SmtpConnection connection) throws NextHopFault;
    }

    private Reply step(Step step) {
        if (held.isEmpty()) {
            return withoutConnection;
        }
        try {
            return step.take(held.get());
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
        if (!ended) {
            step(SmtpConnection::reset);
        }
        held.ifPresent(pool::giveBack);
        held = Optional.empty();
    }
}
