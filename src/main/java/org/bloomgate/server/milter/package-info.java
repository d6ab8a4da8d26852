/// The listener for mail servers that query Bloomgate while they receive a message: the milter protocol of
/// Sendmail and Postfix, versions 2 to 6. The mail server is responsible for the message and carries out the
/// edits; no byte of a body is changed. A quarantined message is stored here, and the mail server drops its
/// copy.
///
/// `MilterSession` is one switch over the commands of a connection, `MilterTransaction` one message of it. The
/// evaluator's `MessageEvaluation` gets the same envelope and the same bytes as from the relay, so that both
/// listeners decide and tag alike. A permanent rejection because of the sender is sent at RCPT, every other
/// response at the end of the message; progress is reported during a long evaluation.
///
/// `FrameReader` bounds the input, `CommandReader` is the grammar, `Negotiation` has the capabilities of the
/// mail server and the commands that need a response. A frame that violates the protocol ends its connection,
/// and the mail server then handles the message as configured for a failed milter: a fault is reported as a
/// failure, not as acceptance.
///
/// The only specification is Sendmail's `libmilter/mfdef.h` and the behaviour of both servers. The protocol has
/// no authentication: the listener accepts connections from this machine and from `smtp.clientNetworks`.
///
/// Start reading at [Milter] and `MilterTransaction`.
@NullMarked
package org.bloomgate.server.milter;

import org.jspecify.annotations.NullMarked;
