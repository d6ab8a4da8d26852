/// Messages that the policy quarantined, on disk until an operator releases or deletes them.
///
/// `Quarantine` writes message and envelope completely or not at all; `QuarantineRelease` delivers a message,
/// and leaves it in place if the next hop does not accept it.
///
/// Start reading at [Quarantine] and [QuarantineRelease].
@NullMarked
package org.bloomgate.server.quarantine;

import org.jspecify.annotations.NullMarked;
