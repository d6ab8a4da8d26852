package org.bloomgate.server.smtp;

/// The treatment of a bare CR or LF inside a message. Neither ever ends DATA and neither is ever forwarded: a
/// server that takes one for a line end sees a second message where others see text (SMTP smuggling).
public enum BareLineEnds {
    /// Each becomes CRLF.
    NORMALIZE,
    /// The message is read to its end, answered 550 5.5.2, and the connection is closed.
    REJECT
}
