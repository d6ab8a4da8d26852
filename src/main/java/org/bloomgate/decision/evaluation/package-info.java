/// Evaluates one message, one value: the caller, by SMTP, HTTP or the command line, gets the same answer.
///
/// A message goes through a [MessageEvaluation] in the order of SMTP; [MessageScan] does the same for a message
/// from elsewhere. Both end in a [MessageDecision]: verdict, action, what is enforced, limits and reasons. Only
/// this package handles stale snapshots, shadow mode, recipients with different rules and a missing snapshot;
/// the action of a failed lookup is one line of the policy.
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
