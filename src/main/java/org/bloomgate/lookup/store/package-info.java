/// The second tier: stores that hold every key with its listings and answer exactly.
///
/// A store never guesses. What it cannot read, prove or reach in time is `Unknown`; only a key that it looked for and
/// did not find is "not listed".
///
/// The users of a store know [StoreWriter], [SortedStore], [PublishedStores] and [StoreCursor]. The pages of a part
/// come from a [PageSource]; everything above it is the same for a file and for another machine.
///
/// Start reading at [SortedStore], which reads the files that `PagesWriter` writes; then `StorePart` and `Page`, from
/// the root down to an entry.
@NullMarked
package org.bloomgate.lookup.store;

import org.jspecify.annotations.NullMarked;
