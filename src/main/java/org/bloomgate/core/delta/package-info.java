/// Sorted lists of 64-bit key hashes and their changes, in few bits: with them a mirror can rebuild the filter
/// of a publisher, byte for byte.
///
/// ```
///   HashList      a list, also of hashes that come in any order
///   HashChange    removals and additions to one: its bytes and back, and a list with a change applied
///   RiceList      ascending numbers as Rice-coded differences (Safe Browsing v5, RiceDeltaEncoded)
/// ```
///
/// Lists are walked in memory that the caller has mapped, so that their size needs no heap. A change is found by
/// walking two lists, twice: once to count, once to write. Two changes are not combined into one: that takes as long
/// as another walk.
///
/// A changed key affects 18 random bits of a filter, so the difference of two filters is never small. In a
/// sorted list of hashes, a removed key costs 6 bits and an added one 50 (measured with 1 million keys, a
/// twentieth of them changed).
///
/// These are not Safe Browsing v5 lists: its clients look up the SHA-256 of an expression, and the hashes here
/// depend on the seed of the filter. To serve such clients, every key would need a second list, with 1.7 MB of
/// 4-byte prefixes and 32 MB of full hashes a million keys, and a second change for every one that is kept; see
/// `docs/architecture.md`.
///
/// This package does no I/O, does not trust a number of entries before there are bytes for it, and does not
/// know which keys the hashes are from.
///
/// Start reading at [HashList].
@NullMarked
package org.bloomgate.core.delta;

import org.jspecify.annotations.NullMarked;
