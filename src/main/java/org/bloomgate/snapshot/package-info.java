/// Snapshots on disk: immutable directories `<root>/<layer>/<generation>/`, written whole or not at all, verified
/// before
/// they are adopted, one `current` pointer for each layer.
///
/// Doors: `key`, `filter`.
@NullMarked
package org.bloomgate.snapshot;

import org.jspecify.annotations.NullMarked;
