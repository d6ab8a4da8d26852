/// The relay: a before-queue proxy in lock-step with the next hop, which never owns a message.
///
/// A session starts at `Relay` and is one switch over commands in `ClientSession`; a message is followed
/// through `MailTransaction`, `MessageReceiver` (dot-unstuffing in `DataScanner`) and the evaluator's
/// `MessageEvaluation`. Commands are read and replies written by `ClientConnection`.
///
/// SubEthaSMTP runs the server and reads no byte of a client:
/// - its accept loop takes connections from `ClientListener`, at most 100 more than `smtp.maxSessions` at once, and
///   runs each as a task of `SessionThreads`;
/// - its session asks `SessionRegistry` whether to admit the client, and writes the refusal if not. A client that is
///   admitted is spoken with there and then, to the end of its connection, and the library is told to quit before it
///   greets or reads.
///
/// Its line reader, commands, DATA and STARTTLS are not used. What decides about smuggled commands and messages,
/// where a line ends, where a message ends and what is forgotten at STARTTLS, is in `ClientConnection`,
/// `DataScanner` and `ClientSession`. `LibrarySurfaceTest` fails when a new version of it has another shape.
///
/// A `Listener` is one address with its current context; all share one `SessionRegistry`. `SessionIdentity`
/// knows the client of a session and who may state it: `ProxyHeader` and XCLIENT change the client for relay
/// control, XFORWARD only for the log and the next hop. A session takes the current context at EHLO and at
/// MAIL, so that changed options apply from its next transaction.
///
/// Refusals name a token and never a list.
///
/// Start reading at [Relay] and [MailTransaction].
@NullMarked
package org.bloomgate.server.smtp;

import org.jspecify.annotations.NullMarked;
