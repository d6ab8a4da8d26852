/// Where accepted mail goes: a maildir, or servers spoken to in SMTP or LMTP over pooled connections.
///
/// A transaction goes in lock-step with the client's: MAIL, RCPT and the message are handed on one by one and
/// the replies come back verbatim. No fault of a next hop is an exception to the caller and none bounces a
/// mail: each comes back as a 4xx reply. The final dot goes out only with the whole message.
///
/// A message goes by DATA, also to a server that offers CHUNKING (RFC 3030): the reply to DATA shows a connection
/// that went stale while the client sent, before anything of the message is on its way, so the envelope is begun
/// anew on another. After BDAT nobody could tell whether the message was taken.
///
/// Never judges and never alters a message but for what the caller puts on top of it.
///
/// Doors: `background`, `disk`, `tls`, `envelope`. Start reading at [NextHops] and [NextHop].
@NullMarked
package org.bloomgate.nexthop;

import org.jspecify.annotations.NullMarked;
