/// The first tier: filters in which an absent key seldom reads more than one cache line.
///
/// Building and querying are two types. Only a file passes between them, and its header has everything that a
/// reader must know, including the hash; therefore [KeyHash] is here and not in `key`.
///
/// [ScalableFilter] is for an unknown number of keys; it is on the heap and is never written to a file.
///
/// There are two layouts, [FilterLayout]; [FilterSizing#of] chooses the smaller one. In both, a key sets bits in a
/// line; they differ in the second stage. The two-line layout takes keys in any order while the filter is built, and
/// such filters can be united by OR. The layout with a binary fuse filter of 16-bit fingerprints needs all keys at
/// once: their hashes are collected, 8 bytes each, in a file without a name, in shards of a million keys, so that a
/// hundred million keys need no more heap than one million. Sorted hashes are not collected. At rates above 1e-5 it is
/// larger, because its fingerprints have 16 bits, and shorter ones would need shifts.
///
/// | measured at 1e-6, one process | two lines | line and fuse filter |
/// |---|---|---|
/// | bits a key | 31.1 | 24.1 (26.4 with 10,000 keys) |
/// | absent key in batches, 1 million keys | 30 ns | 30 ns |
/// | the same, 10 million keys | 60 ns | 50 ns |
/// | the same, 100 million keys | 75 ns | 54 ns |
/// | absent key one by one, 1 million keys | 95 ns | 63 ns |
/// | building, a key | 60 ns | 80 ns |
/// | smaller | below some hundred keys | from some hundred keys on; at 1e-5 from 100,000 keys on |
///
/// A counting filter, from which keys can be removed, was compared with an exact table of 64-bit hashes and
/// rejected. With counters of 4 bits it takes 124 bits a key at 1e-6; the table takes 128 at half load, can
/// remove an absent key without harm, and has no false positives except for equal hashes. The two-line filter,
/// which has a quarter of the size of a counting one, is as fast as the table with some 10,000 keys (52 ns to
/// 48) and faster with more (60 ns to 108 with 100,000). Sets that are edited in place are smaller than that,
/// so they are exact tables; large layers are rebuilt.
///
/// This package does no I/O (a file is a `MemorySegment` that the caller has mapped), logs nothing and starts
/// no thread ([Workers] are those of the caller).
///
/// Start reading at [BloomFilter] and [BloomFilterBuilder].
@NullMarked
package org.bloomgate.core.bloom;

import org.jspecify.annotations.NullMarked;
