/// Feeds: where lists come from, how they are fetched and unpacked, and how each line becomes an entry, a comment or a
/// reject with its reason.
///
/// Doors: `key`.
@NullMarked
package org.bloomgate.feed;

import org.jspecify.annotations.NullMarked;
