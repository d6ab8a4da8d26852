package org.bloomgate.decision.evaluation;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.decision.authentication.ResultsSource;

/// The client that sends a message, as stated by a trusted source: the connection itself, a proxy, or a mail
/// server in front.
///
/// @param address empty if unknown; an IPv4-mapped address is an IPv4 address
/// @param name host name as a trusted proxy states it, empty if unknown; never looked up
/// @param helo the argument of HELO or EHLO, empty when there was none
/// @param results whose Authentication-Results fields in the message count
/// @param authenticated whether the client has logged in: it is a user of the site, and its address is not looked up
public record ConnectingClient(
        Optional<InetAddress> address, String name, String helo, boolean authenticated, ResultsSource results) {
    /// Nothing is known of the client.
    public static final ConnectingClient UNKNOWN =
            new ConnectingClient(Optional.empty(), "", "", false, ResultsSource.STRANGER);

    /// Returns a client of which only address and HELO are known.
    public static ConnectingClient of(Optional<InetAddress> address, String helo) {
        return new ConnectingClient(address, "", helo, false, ResultsSource.STRANGER);
    }

    /// False if nothing is known that could be looked up.
    boolean isKnown() {
        return address.isPresent() || !name.isEmpty() || !helo.isEmpty();
    }

    /// The address without an IPv6 zone; empty if unknown.
    public String addressText() {
        return address.map(IpLiteral::text).orElse("");
    }
}
