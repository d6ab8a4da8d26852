package org.bloomgate.server.smtp;

/// Reads the bytes of a message in the form in which the client sends it: DATA or BDAT.
interface BodyScanner {

    /// Reads bytes up to the end of the message or chunk.
    ///
    /// @return the position after the last byte read
    int scan(byte[] bytes, int from, int to);

    /// True after the end of the message or chunk: commands follow.
    boolean ended();

    /// True if there was a bare CR or LF.
    boolean sawBareLineEnds();
}
