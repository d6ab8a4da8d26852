/// What a lookup says: [Verdict] is clean, listed or unresolved; a [Listing] is the exact statement of one feed.
///
/// Doors: `key`.
@NullMarked
package org.bloomgate.verdict;

import org.jspecify.annotations.NullMarked;
