/// What was decided: one JSON line for each transaction, by day, bounded; `explain TOKEN` reads them back.
///
/// Never holds a password or a message body, never keeps mail waiting. A decision goes from [JsonDecisionJournal]'s
/// queue to the file of its day; how much of what a client sent it may hold is bounded before it is queued.
///
/// Doors: `key`, `verdict`, `lookup`. Start reading at [DecisionJournal] and [JsonDecisionJournal].
@NullMarked
package org.bloomgate.journal;

import org.jspecify.annotations.NullMarked;
