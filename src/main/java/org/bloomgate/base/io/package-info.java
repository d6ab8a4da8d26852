/// Files that outlive a crash: atomic, durable renames, private files, whole lines, locks, SHA-256 and checksums,
/// and a probe of whether a folder is writable.
///
/// All durable files are written through this package, small ones with state as a [JsonFile]. It knows nothing
/// about their content.
///
/// Start reading at [DurableFiles].
@NullMarked
package org.bloomgate.base.io;

import org.jspecify.annotations.NullMarked;
