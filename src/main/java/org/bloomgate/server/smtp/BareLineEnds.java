package org.bloomgate.server.smtp;

/// The treatment of a bare CR or LF inside a message. It never ends DATA and is never forwarded: a server that
/// takes it as a line end sees a second message where other servers see text (SMTP smuggling).
public enum BareLineEnds {
    /// Each becomes CRLF.
    NORMALIZE,
    /// The whole message is read and answered 550 5.5.2, and the connection is closed.
    REJECT
}
