/// Evaluates a message or a single value. The result is the same for SMTP, milter, HTTP and the command line.
///
/// A message goes through a [MessageEvaluation] in the order of SMTP, in three steps: [EnvelopeStep],
/// [ContentStep], [DecisionStep]. [MessageScan] does the same for a message
/// from elsewhere. Both end in a [MessageDecision]: verdict, action, what is enforced, limits and reasons. Only
/// this package handles stale snapshots, shadow mode, recipients with different rules and a missing snapshot;
/// the action of a failed lookup is one line of the policy.
///
/// At RCPT only permanent rejections (5xx) are sent. Every milder action waits for the whole message, so that a
/// message is decided once, with all findings.
///
/// Knows no protocol: the listener turns a decision into its reply.
///
/// Start reading at [MessageEvaluation] and [ValueCheck].
@NullMarked
package org.bloomgate.decision.evaluation;

import org.jspecify.annotations.NullMarked;
