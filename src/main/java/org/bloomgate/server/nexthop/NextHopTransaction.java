package org.bloomgate.server.nexthop;

import org.bloomgate.core.smtp.Reply;

/// One message transaction in lock-step with the next hop. No method throws for a fault of the next hop: a
/// refused connection, a timeout or nonsense comes back as the 4xx reply the client gets. Used by one thread at
/// a time.
///
/// Texts of commands and replies hold one byte a character (ISO 8859-1), so that a UTF-8 address passes unchanged.
public interface NextHopTransaction extends AutoCloseable {

    /// @param arguments everything after `MAIL `, verbatim: `FROM:<a@b.example> SIZE=100 BODY=8BITMIME`
    Reply mail(String arguments);

    /// @param arguments everything after `RCPT `, verbatim
    Reply rcpt(String arguments);

    /// Sends the fields to put on top and then the message, ended by one CRLF.CRLF; the reply to the final dot, or
    /// to DATA when that was refused.
    ///
    /// @param top complete header fields with CRLF, ISO 8859-1 or UTF-8 bytes as they go out
    Reply data(byte[] top, MessageBytes message);

    /// Ends the transaction: after a completed one the connection returns to the pool; otherwise it is reset by
    /// RSET or, if that is uncertain, closed. Never throws.
    @Override
    void close();
}
