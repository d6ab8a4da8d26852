/// The listener for mail servers that ask while they receive: the milter protocol of Sendmail and Postfix,
/// versions 2 to 6. The mail server owns the mail and carries out the edits; no byte of a body is
/// changed. A message in quarantine is kept here, and the mail server drops its copy.
///
/// `MilterSession` is one switch over the commands of a connection, `MilterTransaction` one mail of it before
/// the evaluator's `MessageEvaluation`, which gets the same envelope and the same bytes as from the relay, so
/// that both listeners rule and mark alike. A refusal for good because of the sender is spoken at RCPT,
/// everything else at the end of the message; progress is reported while the evaluator takes long.
///
/// `FrameReader` bounds the input, `CommandReader` is the grammar, `Negotiation` has the capabilities of the
/// mail server and the commands it wants answered. A frame outside the protocol ends its connection, and the
/// mail server then handles its mail as configured for a failed milter: the fault is reported as a failure, not
/// as acceptance.
///
/// The only specification is Sendmail's `libmilter/mfdef.h` and the behaviour of both servers. The protocol has
/// no authentication: the listener accepts connections from this machine and from `smtp.clientNetworks`.
///
/// Start reading at [Milter] and `MilterTransaction`.
@NullMarked
package org.bloomgate.server.milter;

import org.jspecify.annotations.NullMarked;
