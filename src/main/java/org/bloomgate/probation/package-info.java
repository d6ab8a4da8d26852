/// Feeds that are held down for a time because operators took back too much of what they list.
///
/// ```
///   confirmed errors of LiveEntries -> Weighing (beside what the feed hit, from the journal) -> Probation
///   Probations: a round every few seconds; ProbationFile keeps what was decided
/// ```
///
/// A probation lasts its [Probation#TERM] whatever becomes of the exceptions meanwhile; what is confirmed within it
/// may lead to the next one. The rulings know of it by the lease of the layers; this room decides nothing about mail.
///
/// Start reading at [Probations].
@NullMarked
package org.bloomgate.probation;

import org.jspecify.annotations.NullMarked;
