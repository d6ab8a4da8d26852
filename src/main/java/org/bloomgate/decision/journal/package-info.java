/// The decision journal: one JSON line for each transaction, by day, bounded in age and size; `explain TOKEN`
/// and `decisions` read it back.
///
/// It never contains a password or a message body, and never delays mail: a decision goes from
/// [JsonDecisionJournal]'s queue to the file of its day, and how much of a client's text it may contain is
/// bounded before it is queued. Two gateways cannot write to one directory: the second records nothing, and
/// logs and counts that, until the first ends.
///
/// [DecisionSearch] reads the files from the newest line to the oldest; [MailLog] writes the log line of each
/// decision; [MessageCounts] counts the messages of the last 14 days.
///
/// Start reading at [DecisionJournal] and [JsonDecisionJournal].
@NullMarked
package org.bloomgate.decision.journal;

import org.jspecify.annotations.NullMarked;
