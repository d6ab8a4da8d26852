package org.bloomgate.core.smtp;

/// The identity of the SMTP client, as XFORWARD passes it to the next hop.
///
/// @param address IP address in text, empty when unknown
/// @param port of the client, 0 when unknown
/// @param name host name as a trusted upstream gave it, empty when unknown
/// @param helo the argument of HELO or EHLO, empty before it
/// @param protocol `SMTP`, `ESMTP`, ... as in the Received field; empty when unknown
/// @param ident the upstream's own identifier of the message; empty if there is none
/// @param source `LOCAL`, `REMOTE` or empty when unknown
public record ClientIdentity(
        String address, int port, String name, String helo, String protocol, String ident, String source) {

    /// A client that came over the network.
    public ClientIdentity(String address, int port, String name, String helo, String protocol) {
        this(address, port, name, helo, protocol, "", "REMOTE");
    }

    public String addressText() {
        return address.isEmpty() ? "unknown" : address;
    }
}
