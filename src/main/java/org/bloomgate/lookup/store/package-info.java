/// The second tier: stores that hold every key with its listings and answer exactly.
///
/// A store never guesses. What it cannot read, prove or reach in time is `Unknown`; only a key that it looked for and
/// did not find is "not listed".
///
/// Anyone who makes or walks a store knows [SortedStores], [StoreWriter], [SortedStore] and [StoreCursor]
/// alone; that it is RocksDB is known to [RocksStores] and to the assembly that chooses it.
///
/// Start reading at [SortedStores], then `RocksExactStore`, which reads what `RocksExactWriter` writes.
@NullMarked
package org.bloomgate.lookup.store;

import org.jspecify.annotations.NullMarked;
