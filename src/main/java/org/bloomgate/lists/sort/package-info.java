/// An external sort of keys with their listings: buffers in memory, sorted runs on disk, one merge.
///
/// Equal keys come out as one, with the listings of all of them. Memory is bounded by the buffers, disk by the
/// folder of work; both are the caller's to choose.
///
/// Start reading at [ExternalSort].
@NullMarked
package org.bloomgate.lists.sort;

import org.jspecify.annotations.NullMarked;
