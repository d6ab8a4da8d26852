/// The second tier: stores that hold every key with its listings and answer exactly.
///
/// A store never guesses. What it cannot read, prove or reach in time is `Unknown`; only a key that it looked for and
/// did not find is "not listed".
///
/// The users of a store know [StoreWriter], [SortedStore] and [StoreCursor]; RocksDB is known to this package
/// only.
///
/// Start reading at [SortedStore], which reads the files that `RocksExactWriter` writes.
@NullMarked
package org.bloomgate.lookup.store;

import org.jspecify.annotations.NullMarked;
