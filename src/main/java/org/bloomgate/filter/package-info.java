/// The first tier: Bloom filters in which a key sets bits in two cache lines.
///
/// The form for building and the form for asking are two types. A file is the only thing that passes between
/// them, and its header says everything a reader must know, the hash included: [KeyHash] therefore lives here and
/// not in `key`.
///
/// [ScalableFilter] is the one for keys whose number nobody knows beforehand; it lives on the heap and is never
/// written.
///
/// A counting filter, from which keys can be removed, was measured against an exact table of 64-bit hashes and
/// refused. With counters of 4 bits it takes 124 bits a key at 1e-6; the table takes 128 at half load, removes a key
/// that is not there without harm and has no false positive but for equal hashes. In time the two-line filter, a
/// quarter as long as a counting one, breaks even with the table at some 10,000 keys (52 ns against 48) and wins
/// above (60 against 108 at 100,000). A set that is edited in place is smaller than where a counting filter could
/// win, so it is exact; large layers are rebuilt.
///
/// No I/O (a file is a `MemorySegment` that somebody else mapped), no logging, no thread ([Workers] are those of the
/// caller).
///
/// Doors: none. Start reading at [BloomFilter] and [BloomFilterBuilder].
@NullMarked
package org.bloomgate.filter;

import org.jspecify.annotations.NullMarked;
