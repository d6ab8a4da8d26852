/// Where accepted mail goes: a maildir, or servers spoken to in SMTP or LMTP over pooled connections.
///
/// A transaction goes in lock-step with the client's: MAIL, RCPT and the message are handed on one by one and
/// the replies come back verbatim. No fault of a next hop is an exception to the caller and none bounces a
/// mail: each comes back as a 4xx reply. The final dot goes out only with the whole message.
///
/// A server that offers CHUNKING (RFC 3030) receives a message by BDAT, as one chunk with its length: there is
/// no wait for the reply to DATA and no search for dots. A stale connection would show only when the message is
/// in transit, and it would be unknown whether it was accepted; so BDAT requires a recent reply to MAIL or
/// RCPT, and DATA is used otherwise. The first chunk on a connection has only the relay's own fields: a server
/// that announces CHUNKING without knowing BDAT reads the following bytes as commands, and a stranger has
/// written the message.
///
/// Never evaluates and never alters a message but for what the caller puts on top of it.
///
/// Start reading at [NextHops] and [NextHop].
@NullMarked
package org.bloomgate.server.nexthop;

import org.jspecify.annotations.NullMarked;
