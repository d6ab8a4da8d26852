package org.bloomgate.server.smtp;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.server.spool.ReceivedField;

/// The client of a session, for one transaction.
///
/// @param peer for relay control and the Received field
/// @param helo the argument of HELO or EHLO
/// @param extended true after EHLO
/// @param tls protocol and cipher suite; empty without TLS
/// @param forwarded the client that a trusted peer stated with XFORWARD: for the evaluation, the log and the
///     next hop
/// @param results the source of the message, which decides whether its Authentication-Results fields are
///     trusted
record Client(
        Peer peer,
        String helo,
        boolean extended,
        String tls,
        Optional<ClientIdentity> forwarded,
        ResultsSource results) {

    /// Empty if the peer's address is unknown.
    Optional<InetAddress> address() {
        return peer.address();
    }

    /// The address for the log, without an IPv6 zone.
    String addressText() {
        return forwarded.isEmpty() ? peer.addressText() : forwarded.get().addressText();
    }

    /// The HELO for the log.
    String heloText() {
        return forwarded.isEmpty() ? helo : forwarded.get().helo();
    }

    /// The value of the Received field's "with" clause (RFC 3848, RFC 6531 3.7.3).
    String protocol(boolean smtpUtf8) {
        if (!extended) {
            return "SMTP";
        }
        String secure = tls.isEmpty() ? "" : "S";
        return (smtpUtf8 ? "UTF8SMTP" : "ESMTP") + secure;
    }

    /// The client for the Received field.
    ReceivedField.Origin origin(boolean smtpUtf8) {
        return new ReceivedField.Origin(helo, peer.name(), peer.address(), protocol(smtpUtf8));
    }

    /// The identity of the client for the next hop.
    ClientIdentity identity(boolean smtpUtf8) {
        return forwarded.orElseGet(() -> new ClientIdentity(
                peer.address().map(IpLiteral::text).orElse(""), peer.port(), peer.name(), helo, protocol(smtpUtf8)));
    }

    /// The client for the evaluation: the one that a trusted peer stated, otherwise the peer.
    ConnectingClient evaluatedClient() {
        return forwarded
                .map(first -> new ConnectingClient(
                        IpLiteral.parse(first.address()), first.name(), first.helo(), authenticated(), results))
                .orElseGet(() -> new ConnectingClient(peer.address(), peer.name(), helo, authenticated(), results));
    }

    private boolean authenticated() {
        return !peer.login().isEmpty();
    }

    Client withForwarded(Optional<ClientIdentity> identity) {
        return new Client(peer, helo, extended, tls, identity, results);
    }
}
