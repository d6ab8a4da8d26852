package org.bloomgate.server.milter;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.server.spool.ReceivedField;

/// The client that sent the message to the mail server.
///
/// @param name host name by the mail server's lookup; empty if it has none
/// @param address empty if the client has none
/// @param port 0 if the client has none
/// @param helo the argument of HELO or EHLO
/// @param tls protocol and cipher; empty without TLS
/// @param isAuthenticated true for a client that has logged in: a user of the site
/// @param isOriginating true for messages of the mail server's own machine: a rejected recipient would stay in
///     its queue
record MtaClient(
        String name,
        Optional<InetAddress> address,
        int port,
        String helo,
        String tls,
        boolean isAuthenticated,
        boolean isOriginating) {

    /// The conventional `daemon_name` of a service for local messages.
    private static final String ORIGINATING = "ORIGINATING";

    private static final String UNKNOWN = "unknown";

    /// Postfix states the client 127.0.0.1 with port 0 for messages of its own machine, from `sendmail` or a
    /// queue.
    static MtaClient of(Command.Connect connection, String helo, Macros macros) {
        boolean isLocal = connection.port() == 0
                && connection.address().filter(InetAddress::isLoopbackAddress).isPresent();
        boolean hasName =
                !connection.host().startsWith("[") && !connection.host().equals(UNKNOWN);
        return new MtaClient(
                hasName ? connection.host() : "",
                connection.address(),
                connection.port(),
                helo,
                (macros.findValue(Macros.TLS_VERSION) + " " + macros.findValue(Macros.CIPHER)).strip(),
                !macros.findValue(Macros.LOGIN).isEmpty(),
                isLocal || macros.findValue(Macros.DAEMON).equals(ORIGINATING));
    }

    ConnectingClient toConnectingClient() {
        return new ConnectingClient(address, name, helo, isAuthenticated, ResultsSource.OWN_MAIL_SERVER);
    }

    /// @param queueId of the mail server for its message
    ClientIdentity toIdentity(String queueId) {
        return new ClientIdentity(
                address.map(IpLiteral::text).orElse(""),
                port,
                name,
                helo,
                "",
                queueId,
                isOriginating ? "LOCAL" : "REMOTE");
    }

    ReceivedField.Origin toOrigin() {
        return new ReceivedField.Origin(helo, name, address, "");
    }

    String addressText() {
        return address.map(IpLiteral::text).orElse(UNKNOWN);
    }

    /// The text for the log.
    String describe() {
        return addressText() + (isAuthenticated ? ", logged in" : "");
    }

    Decision.Connection toJournalConnection() {
        return new Decision.Connection(addressText(), helo, tls);
    }
}
