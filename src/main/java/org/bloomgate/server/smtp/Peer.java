package org.bloomgate.server.smtp;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;

/// The client of a session: the other end of the connection, unless a trusted proxy or XCLIENT states another
/// client.
///
/// @param address empty if it is stated as unknown. An IPv4-mapped address is an IPv4 address
/// @param port 0 if unknown
/// @param name host name stated by a trusted peer; empty if unknown, as none is looked up here
/// @param login user name stated by a trusted peer; empty without a login
record Peer(Optional<InetAddress> address, int port, String name, String login) {
    private static final String UNKNOWN = "unknown";

    /// A client without a login.
    Peer(Optional<InetAddress> address, int port, String name) {
        this(address, port, name, "");
    }

    /// The address as text, without an IPv6 zone; `unknown` if there is none.
    String addressText() {
        return address.map(IpLiteral::text).orElse(UNKNOWN);
    }
}
