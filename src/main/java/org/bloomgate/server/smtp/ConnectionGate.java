package org.bloomgate.server.smtp;

import java.io.IOException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The checks of a client before its greeting: its identity, its rate, and whether a feed lists it. Used by the
/// session's thread.
///
/// @param context of the session at its start
record ConnectionGate(SessionContext context, ClientConnection connection, SessionIdentity identity) {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionGate.class);

    /// Reads the PROXY header if there is one. False if it is invalid; then the connection is closed without a
    /// reply.
    boolean identify() {
        if (!context.options().access().proxyProtocol()) {
            return true;
        }
        try {
            identity.readProxyHeader(connection.raw(), context.trusted());
            return true;
        } catch (IOException e) {
            context.metrics().sessionDropped();
            LOG.info("smtp: client {}: dropped: {}", clientText(), IoText.describe(e));
            connection.abort();
            return false;
        }
    }

    /// False if clients of this network connect too often.
    boolean mayConnect() {
        boolean allowed = context.rates().allowsConnection(identity.connected());
        if (!allowed) {
            LOG.info("smtp: client {}: too many connections per minute", clientText());
        }
        return allowed;
    }

    /// True if a feed with `atConnect` lists the client's address.
    boolean isRejectedAtConnect() {
        ConnectingClient client = ConnectingClient.of(identity.peer().address(), "");
        return context.messages().rejectsAtConnect(client, "smtp", clientText());
    }

    private String clientText() {
        return identity.peer().addressText();
    }
}
