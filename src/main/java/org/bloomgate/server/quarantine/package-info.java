/// Messages that policy keeps back, on disk until an operator releases or deletes them.
///
/// `Quarantine` writes message and envelope whole or not at all; `QuarantineRelease` sends one on, exactly
/// once, and leaves it where it is when the next hop does not take it.
///
/// Start reading at [Quarantine] and [QuarantineRelease].
@NullMarked
package org.bloomgate.server.quarantine;

import org.jspecify.annotations.NullMarked;
