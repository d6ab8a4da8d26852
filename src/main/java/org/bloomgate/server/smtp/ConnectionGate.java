package org.bloomgate.server.smtp;

import java.io.IOException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The checks of a client before its greeting: its identity, its rate, and whether a feed lists it. Belongs to
/// the session's thread.
///
/// @param with what the session works with when it begins
record ConnectionGate(SessionContext with, ClientConnection connection, SessionIdentity identity) {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionGate.class);

    /// Reads who is there when a proxy has to say so. False when the connection is to end without a word.
    boolean identify() {
        if (!with.options().access().proxyProtocol()) {
            return true;
        }
        try {
            identity.takeFromProxy(connection.raw(), with.trusted());
            return true;
        } catch (IOException e) {
            with.metrics().sessionDropped();
            LOG.info("client {} dropped: {}", logged(), IoText.describe(e));
            connection.abort();
            return false;
        }
    }

    /// False when clients of this network connect too often.
    boolean mayConnect() {
        boolean may = with.rates().allowsConnection(identity.connected());
        if (!may) {
            LOG.info("client {} connects too often", logged());
        }
        return may;
    }

    /// True if a feed with `atConnect` lists the client's address. A fault rejects no one: mail is evaluated
    /// later.
    boolean isRefusedAtConnect() {
        try {
            ConnectingClient caller = ConnectingClient.of(identity.peer().address(), "");
            boolean refused = with.evaluator().refusesAtConnect(with.layers(), caller);
            if (refused) {
                LOG.info("client {} refused at its greeting", logged());
            }
            return refused;
        } catch (RuntimeException | StackOverflowError | InternalError e) {
            LOG.error("client {} could not be asked about", logged(), e);
            return false;
        }
    }

    private String logged() {
        return identity.peer().addressText();
    }
}
