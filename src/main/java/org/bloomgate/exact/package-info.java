/// The second tier: stores that hold every key with its listings and answer exactly.
///
/// A store never guesses. What it cannot read, prove or reach in time is `Unknown`; only a key that it looked for and
/// did not find is "not listed".
///
/// Doors: `disk`, `key`, `verdict`, `lookup`. Start reading at [RocksExactStore], the embedded store;
/// [RocksExactWriter] writes what it reads.
@NullMarked
package org.bloomgate.exact;

import org.jspecify.annotations.NullMarked;
