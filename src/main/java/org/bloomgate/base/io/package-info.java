/// Files that outlive a crash: an atomic, durable rename, a file only its owner can read, lines that are whole, a lock
/// that one holder has at a time, SHA-256 and checksums; and whether a folder can be written to at all.
///
/// No room writes durable files in another way. Knows nothing of what the files hold.
///
/// Start reading at [DurableFiles].
@NullMarked
package org.bloomgate.base.io;

import org.jspecify.annotations.NullMarked;
