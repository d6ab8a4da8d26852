/// The relay: a before-queue proxy in lock-step with the next hop, which never owns a message.
///
/// A session starts at `Relay` and is one switch over commands in `ClientSession`; a message is followed
/// through `MailTransaction`, `Intake` (dot-unstuffing in `DataScanner`) and the judge's `Hearing`. Commands are
/// read and replies written by `ClientConnection`; of SubEthaSMTP the accept loop, the session threads and the
/// bounds are in use.
///
/// A `Listener` is one address with what is in force there; all share one `SessionRegistry`. Whom a session is
/// with, and who may say so, is `SessionIdentity`: `ProxyHeader` and XCLIENT change the client for relay
/// control, XFORWARD for the log and the next hop only. A session asks its listener what is in force at EHLO
/// and at MAIL, so that changed options count from its next transaction on.
///
/// Refusals name a token and never a list. Everything of SubEthaSMTP's internals that is replaced stays in this
/// room.
///
/// Doors: `net`, `tls`, `envelope`, `verdict`, `lookup`, `nexthop`, `journal`, `policy`, `quarantine`, `judge`.
/// Start reading at [Relay] and [MailTransaction].
@NullMarked
package org.bloomgate.smtp;

import org.jspecify.annotations.NullMarked;
