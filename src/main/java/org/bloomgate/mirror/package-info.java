/// Snapshots of a publisher, fetched into the snapshots of this machine, where they are verified and adopted as any
/// other.
///
/// Doors: `snapshot`.
@NullMarked
package org.bloomgate.mirror;

import org.jspecify.annotations.NullMarked;
