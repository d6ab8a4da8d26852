/// The first tier: filters in which an absent key seldom reads more than one cache line.
///
/// The form for building and the form for asking are two types. A file is the only thing that passes between them,
/// and its header says everything a reader must know, the hash included: [KeyHash] therefore lives here and not in
/// `key`.
///
/// [ScalableFilter] is for an unknown number of keys; it is on the heap and is never written.
///
/// A counting filter, from which keys can be removed, was measured against an exact table of 64-bit hashes and
/// refused. With counters of 4 bits it takes 124 bits a key at 1e-6; the table takes 128 at half load, removes a key
/// that is not there without harm and has no false positive but for equal hashes. In time the two-line filter, a
/// quarter as long as a counting one, breaks even with the table at some 10,000 keys (52 ns against 48) and wins
/// above (60 against 108 at 100,000). A set that is edited in place is smaller than where a counting filter could
/// win, so it is exact; large layers are rebuilt.
///
/// There are two layouts, [FilterLayout]. In both a key sets bits in a line; what is behind the line differs. Two
/// lines take 31.1 bits a key at 1e-6, whatever the order of the keys, which can be added for as long as the filter
/// is built, and be united by OR. A line of 5.7 bits a key before a binary fuse filter of 16-bit fingerprints takes
/// 24.1 (26.4 of ten thousand keys) and wants all keys at once: their hashes wait, 8 bytes each, in a file without a
/// name, apart by shards of a million, so that a hundred million need no more heap than one. Absent keys, one
/// process: in batches 30 ns against 30 at 1 million keys, 50 against 60 at 10 million, 54 against 75 at 100 million;
/// one by one 63 against 95 at 1 million. Building takes 80 ns a key against 60. The smaller one is taken: the second
/// at 1e-6 from some hundred keys on, at 1e-5 from a hundred thousand. At
/// higher rates 16 bits are too many, and shorter fingerprints would need shifts.
///
/// No I/O (a file is a `MemorySegment` that somebody else mapped), no logging, no thread ([Workers] are those of the
/// caller).
///
/// Start reading at [BloomFilter] and [BloomFilterBuilder].
@NullMarked
package org.bloomgate.core.bloom;

import org.jspecify.annotations.NullMarked;
