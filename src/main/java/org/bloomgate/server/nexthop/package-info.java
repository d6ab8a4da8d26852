/// Where accepted mail goes: a maildir, or servers spoken to in SMTP or LMTP over pooled connections.
///
/// A transaction goes in lock-step with the client's: MAIL, RCPT and the message are handed on one by one and
/// the replies come back verbatim. No fault of a next hop is an exception to the caller and none bounces a
/// mail: each comes back as a 4xx reply. The final dot goes out only with the whole message.
///
/// To a server that offers CHUNKING (RFC 3030) a message goes by BDAT, as one chunk with its length: no reply to DATA
/// is waited for and no dot looked for. A stale connection would show only when the message is on its way, and nobody
/// could tell whether it was taken; so BDAT needs a reply to MAIL or RCPT that has just come, and otherwise the reply
/// to DATA tells. The first chunk on a connection is the relay's own fields alone: a server that passes the offer on
/// and does not know the command takes what follows for commands, and a stranger has written the message.
///
/// Never evaluates and never alters a message but for what the caller puts on top of it.
///
/// Start reading at [NextHops] and [NextHop].
@NullMarked
package org.bloomgate.server.nexthop;

import org.jspecify.annotations.NullMarked;
