package org.bloomgate.server.smtp;

/// Takes the bytes of a message off the wire, however the client sends it.
interface BodyScanner {

    /// Takes bytes until they are used up or what is expected has come.
    ///
    /// @return the position after the last byte taken
    int scan(byte[] bytes, int from, int to);

    /// True when what follows are commands.
    boolean ended();

    /// True when a CR or LF stood alone.
    boolean sawBareLineEnds();
}
