/// An external sort of keys with their listings: buffers in memory, sorted runs on disk, one merge.
///
/// Equal keys are combined into one with the sources of all of them. The caller chooses the size of the
/// buffers, which bounds the memory, and the folder for the runs.
///
/// Start reading at [ExternalSort].
@NullMarked
package org.bloomgate.lists.sort;

import org.jspecify.annotations.NullMarked;
