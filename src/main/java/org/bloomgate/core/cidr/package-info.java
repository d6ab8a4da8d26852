/// Networks: the addresses that a snapshot lists, as sorted disjoint ranges in one mapped file. Exact, so
/// that no filter stands before it: a filter of prefixes would have to be asked once for each length a
/// prefix can have.
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
/// No I/O (a file is a `MemorySegment` that somebody else mapped), no logging, no thread.
///
/// Start reading at [AddressRanges].
@NullMarked
package org.bloomgate.core.cidr;

import org.jspecify.annotations.NullMarked;
