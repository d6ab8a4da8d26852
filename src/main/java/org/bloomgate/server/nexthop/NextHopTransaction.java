package org.bloomgate.server.nexthop;

import org.bloomgate.core.smtp.Reply;

/// One message transaction with the next hop, step by step with that of the client. No method throws for a
/// fault of the next hop: a failed connection, a timeout or a protocol violation is returned as the 4xx reply
/// for the client. Used by one thread at a time.
///
/// Texts of commands and replies have one byte for each character (ISO 8859-1), so that a UTF-8 address passes
/// unchanged.
public interface NextHopTransaction extends AutoCloseable {

    /// @param arguments everything after `MAIL `, verbatim: `FROM:<a@b.example> SIZE=100 BODY=8BITMIME`
    Reply mail(String arguments);

    /// @param arguments everything after `RCPT `, verbatim
    Reply rcpt(String arguments);

    /// Sends the added fields, the message and the end of data. Returns the reply to the final dot, or to DATA
    /// if that was rejected.
    ///
    /// @param top the added header fields, complete with CRLF, in the bytes to send
    Reply data(byte[] top, MessageBytes message);

    /// Ends the transaction. If it was completed, the connection returns to the pool; otherwise the connection
    /// is reset by RSET or, if that fails, closed. Never throws.
    @Override
    void close();
}
