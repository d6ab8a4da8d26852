package org.bloomgate.server.smtp;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;

/// The client at the other end of a session: the peer, unless a trusted proxy or XCLIENT states another.
///
/// @param address empty when the one who says otherwise does not know it. An IPv4-mapped address is an IPv4 address
/// @param port 0 when unknown
/// @param name host name as a trusted neighbour gave it, empty when unknown; none is looked up here
/// @param login as whom it has logged in, by the word of a trusted neighbour; empty when it has not
record Peer(Optional<InetAddress> address, int port, String name, String login) {
    private static final String UNKNOWN = "unknown";

    /// One that has not logged in.
    Peer(Optional<InetAddress> address, int port, String name) {
        this(address, port, name, "");
    }

    /// The address in text, without an IPv6 zone; `unknown` without one.
    String addressText() {
        return address.map(IpLiteral::text).orElse(UNKNOWN);
    }
}
