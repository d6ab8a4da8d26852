/// The relay: a before-queue proxy that answers each command after the next hop has answered it. It never takes
/// responsibility for a message.
///
/// A session starts at `Relay` and is one switch over commands in `ClientSession`; a message goes through
/// `MailTransaction`, `MessageReceiver` (dot-unstuffing in `DataScanner`) and the evaluator's
/// `MessageEvaluation`. `ClientConnection` reads commands and writes replies.
///
/// SubEthaSMTP runs the server and reads no byte of a client:
/// - its accept loop takes connections from `ClientListener`, at most 100 more than `smtp.maxSessions` at once,
///   and runs each as a task of `SessionThreads`;
/// - its session calls `SessionRegistry` to admit the client, and writes the rejection if it is not admitted.
///   The session of an admitted client runs within that call, to the end of its connection, after which the
///   library quits before it greets or reads.
///
/// The library's line reader, commands, DATA and STARTTLS are not used. The code that protects against smuggled
/// commands and messages (where a line ends, where a message ends, what is discarded at STARTTLS) is in
/// `ClientConnection`, `DataScanner` and `ClientSession`.
///
/// A `Listener` is one address with its current context; all listeners share one `SessionRegistry`.
/// `SessionIdentity` is the client of a session and decides who may state another: `ProxyHeader` and XCLIENT
/// change the client for relay control, XFORWARD only for the evaluation, the log and the next hop. A session
/// reads the current context at EHLO and at MAIL, so that changed options apply from its next transaction.
///
/// Replies of rejections contain a token and never the name of a list.
///
/// Start reading at [Relay] and [MailTransaction].
@NullMarked
package org.bloomgate.server.smtp;

import org.jspecify.annotations.NullMarked;
