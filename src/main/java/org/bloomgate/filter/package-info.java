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
/// A layout for sets that never change was measured: four bits of a key in one line, six bits a key in all, and for the
/// keys that pass it a binary fuse filter of 16-bit fingerprints, in shards of a million keys (`LineAndFuse` of the
/// benchmarks). It takes 24.1 bits a key where two lines take 31.1, with 58 false positives among 60 million absent
/// keys, and is not slower: 34 ns an absent key in batches against 33 at 1 million keys, 50 against 60 at 10 million,
/// 54 against 75 at 100 million.
/// It is not written. All hashes of a shard must be there at once, and keys come in the order of their octets: for 100
/// million a rebuild would have to sort 800 MB of hashes that it now forgets batch by batch. Nothing can be added to
/// such a filter or united with it, so that the two lines stay beside it. And a reader of before refuses it, so that
/// all gateways need a release that knows it before the first publisher writes one.
///
/// No I/O (a file is a `MemorySegment` that somebody else mapped), no logging, no thread ([Workers] are those of the
/// caller).
///
/// Doors: none. Start reading at [BloomFilter] and [BloomFilterBuilder].
@NullMarked
package org.bloomgate.filter;

import org.jspecify.annotations.NullMarked;
