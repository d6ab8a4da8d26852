/// The first tier: Bloom filters in which a key sets bits in two cache lines.
///
/// The form for building and the form for asking are two types. A file is the only thing that passes between
/// them, and its header says everything a reader must know, the hash included: [KeyHash] therefore lives here and
/// not in `key`.
///
/// No I/O (a file is a `MemorySegment` that somebody else mapped), no logging, no thread; no door to another
/// room.
@NullMarked
package org.bloomgate.filter;

import org.jspecify.annotations.NullMarked;
