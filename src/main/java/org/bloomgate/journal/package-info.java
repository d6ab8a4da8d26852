/// What was decided: one JSON line for each transaction, by day, bounded; `explain TOKEN` reads them back. And which
/// keys delivered mail held, as keyed hashes in hourly files, bounded: `rebuild` and `retro` ask them about new
/// listings.
///
/// Never holds a password or a message body, never keeps mail waiting. A decision goes from [JsonDecisionJournal]'s
/// queue to the file of its day; how much of what a client sent it may hold is bounded before it is queued.
///
/// [DecisionSearch] reads the files from the newest line to the oldest; [MailLog] has a line of the log for each
/// decision; [PastDay] has the last 24 hours in numbers.
///
/// Hours whose files cannot be read are told, never passed over in silence. Two gateways cannot record into one
/// directory: the second records nothing, says so and counts, until the first has ended.
///
/// Start reading at [DecisionJournal] and [JsonDecisionJournal]; for keys at [KeyJournal], [HourFileFormat]
/// and [RecentMail].
@NullMarked
package org.bloomgate.journal;

import org.jspecify.annotations.NullMarked;
