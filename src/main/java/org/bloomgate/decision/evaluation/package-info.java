/// Evaluates one message, one value: the caller, by SMTP, HTTP or the command line, gets the same answer.
///
/// A message goes through a [MessageEvaluation] in the order SMTP brings it; [MessageScan] walks through the
/// same one for a message that comes otherwise. Both end in a [MessageDecision]: verdict, action, what is
/// enforced, limits and reasons. Staleness, shadow mode, recipients whose rules differ and the missing snapshot
/// are settled here and nowhere else; what is done about "nobody could be asked" is one line of the policy.
///
/// At RCPT only a refusal for good is spoken; whatever is milder waits for the whole message, so that a message
/// is decided once and with everything known.
///
/// Knows no protocol: how a result is answered is the listener's business.
///
/// Start reading at [MessageEvaluation] and [ValueCheck].
@NullMarked
package org.bloomgate.decision.evaluation;

import org.jspecify.annotations.NullMarked;
