/// The second tier: stores that hold every key with its listings and answer exactly.
///
/// Doors: `key`, `verdict`, `lookup`.
@NullMarked
package org.bloomgate.exact;

import org.jspecify.annotations.NullMarked;
