package org.bloomgate.core.smtp;

/// The identity of the SMTP client, as XFORWARD passes it to the next hop.
///
/// @param address IP address as text; empty if unknown
/// @param port of the client; 0 if unknown
/// @param name host name that a trusted upstream server stated; empty if unknown
/// @param helo the argument of HELO or EHLO; empty before it
/// @param protocol `SMTP`, `ESMTP`, ... as in the Received field; empty if unknown
/// @param ident the upstream's own identifier of the message; empty if there is none
/// @param source `LOCAL`, `REMOTE`, or empty if unknown
public record ClientIdentity(
        String address, int port, String name, String helo, String protocol, String ident, String source) {

    /// A client that connected over the network.
    public ClientIdentity(String address, int port, String name, String helo, String protocol) {
        this(address, port, name, helo, protocol, "", "REMOTE");
    }

    public String addressText() {
        return address.isEmpty() ? "unknown" : address;
    }
}
