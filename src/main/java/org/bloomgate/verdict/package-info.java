/// What a lookup says: [Verdict] is clean, listed or unresolved; a [Listing] is the exact statement of one feed.
@NullMarked
package org.bloomgate.verdict;

import org.jspecify.annotations.NullMarked;
