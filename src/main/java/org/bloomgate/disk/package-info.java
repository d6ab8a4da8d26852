/// Files that outlive a crash: an atomic, durable rename, a file only its owner can read, a folder that one
/// process holds at a time, the digest of a file.
///
/// No room writes durable files in another way. Knows nothing of what the files hold.
///
/// Doors: none. Start reading at [DurableFiles].
@NullMarked
package org.bloomgate.disk;

import org.jspecify.annotations.NullMarked;
