/// The journal of keys: which keys delivered messages contained, as hashes by the hour, for `retro` and for the gates
/// of a rebuild that estimate how much mail a new listing would have blocked. What a sender can leave in it has bounds:
/// of a message, [HourFileFormat#MAX_HASHES], of a client network, [org.bloomgate.base.io.BoundedRecords].
///
/// A hash reveals nothing without the key of the installation, which is in a file next to it. Never delays mail: what
/// cannot be written is counted as lost.
///
/// Start reading at [KeyJournal], [HourFileFormat] and [RecentMail].
@NullMarked
package org.bloomgate.decision.keyjournal;

import org.jspecify.annotations.NullMarked;
