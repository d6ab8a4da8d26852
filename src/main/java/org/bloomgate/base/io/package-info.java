/// Files that outlive a crash: an atomic, durable rename, a file only its owner can read, lines that are whole, a lock
/// that one holder has at a time, SHA-256 and checksums; and whether a folder can be written to at all.
///
/// All durable files are written through this package. It knows nothing about their content.
///
/// Start reading at [DurableFiles].
@NullMarked
package org.bloomgate.base.io;

import org.jspecify.annotations.NullMarked;
