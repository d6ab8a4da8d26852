/// The listener for mail servers that ask while they receive: the milter protocol of Sendmail and Postfix,
/// versions 2 to 6. The mail server owns the mail and carries out the edits; no byte of a body is changed.
///
/// `MilterSession` is one switch over the commands of a connection, `MilterTransaction` one mail of it before
/// the evaluator's `MessageEvaluation`, which gets the same envelope and the same bytes as from the relay, so
/// that both listeners rule and mark alike. A refusal for good because of the sender is spoken at RCPT,
/// everything else at the end of the message; progress is reported while the evaluator takes long.
///
/// `FrameReader` bounds what arrives, `CommandReader` is the grammar, `Negotiation` knows what the mail server allows
/// and which commands it wants answered. A frame that is not of the protocol ends its connection, and the mail server
/// does with its mail what it was told to do without a milter: that is the way to say "out of order", not to accept.
///
/// There is no specification but Sendmail's `libmilter/mfdef.h` and what both servers do. There is no authentication in
/// the protocol: the listener takes this machine and `smtp.clientNetworks`.
///
/// Start reading at [Milter] and `MilterTransaction`.
@NullMarked
package org.bloomgate.server.milter;

import org.jspecify.annotations.NullMarked;
