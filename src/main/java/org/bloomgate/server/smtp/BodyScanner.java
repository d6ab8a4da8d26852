package org.bloomgate.server.smtp;

/// Takes the octets of a message off the wire, however the client sends it.
interface BodyScanner {

    /// Takes octets until they are used up or what is expected has come.
    ///
    /// @return the position after the last octet taken
    int scan(byte[] octets, int from, int to);

    /// True when what follows are commands.
    boolean ended();

    /// True when a CR or LF stood alone.
    boolean sawBareLineEnds();
}
