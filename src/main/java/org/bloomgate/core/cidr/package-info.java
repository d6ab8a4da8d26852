/// Networks: the listed addresses of a snapshot, as sorted disjoint ranges in one mapped file. The ranges are
/// exact and need no filter: a filter of prefixes would have to be tested once for each possible prefix length.
///
/// ```
///   RangeBuilder (blocks in order) -> file -> RangeFormat.open -> AddressRanges (address -> how wide)
/// ```
///
/// Ranges say whether an address is listed and within which bounds. Who lists it, and since when, is in the
/// exact store under the blocks themselves; [AddressRanges#widestBlock] says which of the blocks around an
/// address can be there, so that all feeds that list an address are found, however their networks overlap.
///
/// A block is bytes: 4 or 6 for the family, the first address, the number of leading bits that its
/// addresses share. An address is the block that holds it alone.
///
/// No I/O (a file is a `MemorySegment` that the caller mapped), no logging, no thread.
///
/// Start reading at [AddressRanges].
@NullMarked
package org.bloomgate.core.cidr;

import org.jspecify.annotations.NullMarked;
