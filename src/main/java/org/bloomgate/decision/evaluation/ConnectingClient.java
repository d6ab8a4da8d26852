package org.bloomgate.decision.evaluation;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.decision.authentication.ResultsSource;

/// Who hands a message over, as far as a trusted source says: the connection itself, a proxy, or a mail server
/// in front.
///
/// @param address empty if unknown; an IPv4-mapped address is an IPv4 address
/// @param name host name as a trusted proxy states it, empty if unknown; never looked up
/// @param helo the argument of HELO or EHLO, empty when there was none
/// @param results whose Authentication-Results fields in the message count
/// @param authenticated whether the caller has logged in: a user of the site, whose address says nothing
public record ConnectingClient(
        Optional<InetAddress> address, String name, String helo, boolean authenticated, ResultsSource results) {
    /// Nobody says who it is.
    public static final ConnectingClient UNKNOWN =
            new ConnectingClient(Optional.empty(), "", "", false, ResultsSource.STRANGER);

    /// Somebody of whom no more is known.
    public static ConnectingClient of(Optional<InetAddress> address, String helo) {
        return new ConnectingClient(address, "", helo, false, ResultsSource.STRANGER);
    }

    /// False when there is nothing to ask about.
    boolean isKnown() {
        return address.isPresent() || !name.isEmpty() || !helo.isEmpty();
    }

    /// The address without an IPv6 zone; empty if unknown.
    public String addressText() {
        return address.map(IpLiteral::text).orElse("");
    }
}
