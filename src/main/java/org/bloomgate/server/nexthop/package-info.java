/// Delivers accepted messages: to a maildir, or to servers by SMTP or LMTP over pooled connections.
///
/// A transaction proceeds step by step with that of the client: MAIL, RCPT and the message are passed on one by
/// one, and the replies are returned verbatim. No fault of a next hop throws an exception to the caller or
/// bounces a message: each is returned as a 4xx reply. The final dot is sent only after the whole message.
///
/// A server that offers CHUNKING (RFC 3030) receives a message by BDAT, as one chunk with its length: there is
/// no wait for the reply to DATA and no search for dots. A stale connection would be noticed only while the
/// message is sent, and it would be unknown whether it was accepted; so BDAT requires a recent reply to MAIL or
/// RCPT, and DATA is used otherwise. The first chunk on a connection has only the relay's own fields: a server
/// that offers CHUNKING without knowing BDAT reads the following bytes as commands, and an unknown sender has
/// written the message.
///
/// Never evaluates a message, and changes it only by the fields that the caller adds at the top.
///
/// Start reading at [NextHops] and [NextHop].
@NullMarked
package org.bloomgate.server.nexthop;

import org.jspecify.annotations.NullMarked;
