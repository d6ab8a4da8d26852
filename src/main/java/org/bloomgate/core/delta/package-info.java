/// Sorted lists of 64-bit key hashes, whole and as what changed, in few bits: what a mirror needs to build the
/// filter of a publisher again, byte by byte.
///
/// ```
///   HashList      a list
///   HashChange    removals and additions to one: its bytes and back, and two of them in one
///   RiceList      ascending numbers as Rice-coded differences (Safe Browsing v5, RiceDeltaEncoded)
/// ```
///
/// A changed key touches 18 random bits of a filter, so no difference of filters is small; of a sorted list of
/// hashes a key that went costs 6 bits and one that came 50 (1 million keys, a twentieth of them).
///
/// Lists of Safe Browsing v5 itself these are not: its clients look for the SHA-256 of an expression, here stand hashes
/// with a seed of the filter. To serve them would take a second list of every key, 1.7 MB of 4-byte prefixes and 32 MB
/// of full hashes a million, and a second change of it for every one that is kept; see `docs/architecture.md`.
///
/// Must not: do I/O, believe a number of entries before there are bytes for it. Does not know whose hashes they are.
///
/// Start reading at [HashList].
@NullMarked
package org.bloomgate.core.delta;

import org.jspecify.annotations.NullMarked;
