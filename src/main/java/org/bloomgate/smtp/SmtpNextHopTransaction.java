package org.bloomgate.smtp;

import java.util.List;
import java.util.Optional;
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
    private int recipients;
    private boolean ended;

    SmtpNextHopTransaction(NextHopPool pool, ClientIdentity client, NextHopOptions options) {
        this.pool = pool;
        this.client = client;
        this.options = options;
    }

    @Override
    public Reply mail(String arguments) {
        try {
            SmtpConnection connection = hold(pool.take());
            if (!connection.used()) {
                return mail(connection, arguments);
            }
            try {
                return mail(connection, arguments);
            } catch (NextHopFault stale) {
                LOG.debug("stale: {}", stale.detail());
                letGo();
                return mail(hold(pool.takeFresh()), arguments);
            }
        } catch (NextHopFault fault) {
            return failed(fault);
        }
    }

    private Reply mail(SmtpConnection connection, String arguments) throws NextHopFault {
        List<String> identity = options.xforward() ? NextHopXforward.commands(client, connection.hello()) : List.of();
        return connection.mail(identity, "MAIL " + arguments);
    }

    @Override
    public Reply rcpt(String arguments) {
        return step(connection -> {
            Reply reply =
                    connection.command("RCPT " + arguments, options.timeouts().rcpt());
            recipients += reply.positive() ? 1 : 0;
            return reply;
        });
    }

    @Override
    public Reply data(byte[] top, MessageOctets message) {
        if (recipients == 0) {
            return held.isEmpty() ? withoutConnection : Reply.of(503, "5.5.1", "RCPT first");
        }
        return step(connection -> {
            Reply go = connection.data();
            return go.code() == SmtpConnection.START_DATA ? send(connection, top, message) : go;
        });
    }

    /// In the middle of a message there is no way back: without a reply to the dot the connection goes.
    private Reply send(SmtpConnection connection, byte[] top, MessageOctets message) throws NextHopFault {
        try {
            connection.message(top, message);
            Reply reply = connection.afterDot(recipients);
            ended = true;
            return reply;
        } finally {
            if (!ended) {
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
