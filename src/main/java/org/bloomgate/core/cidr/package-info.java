/// Networks: the listed addresses of a snapshot, as sorted disjoint ranges in one mapped file. The ranges are
/// exact and need no filter: a filter of prefixes would have to be tested once for each possible prefix length.
///
/// ```
///   RangeBuilder (blocks in order) -> file -> RangeFormat.open -> AddressRanges (address -> how wide)
/// ```
///
/// The ranges show whether an address is listed and within which bounds. The feeds that list it, and their
/// dates, are in the exact store under the blocks themselves; [AddressRanges#widestBlock] limits the blocks
/// around an address that may be there, so that all feeds that list an address are found, however their
/// networks overlap.
///
/// A block is a sequence of bytes: 4 or 6 for the family, the first address, and the number of leading bits
/// that its addresses share. A single address is a block of one address.
///
/// This package does no I/O (a file is a `MemorySegment` that the caller has mapped), logs nothing and starts
/// no thread.
///
/// Start reading at [AddressRanges].
@NullMarked
package org.bloomgate.core.cidr;

import org.jspecify.annotations.NullMarked;
