package org.bloomgate.server.smtp;

/// What becomes of a bare CR or LF inside a message. Neither ever ends DATA and neither is ever forwarded: servers
/// that take one of them for a line end see a second message where others see text (SMTP smuggling).
public enum BareLineEnds {
    /// Each becomes CRLF.
    NORMALIZE,
    /// The message is read to its end, answered 550 5.5.2, and the connection is closed.
    REJECT
}
