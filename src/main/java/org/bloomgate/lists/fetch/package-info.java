/// Feeds: what the configuration says of each list, where the list comes from, and how it is fetched and
/// unpacked, up to its lines. What a line means belongs to `format`.
///
/// Nothing is kept here from one fetch to the next; last good copies, bounds on a whole feed and what is
/// published belong to `rebuild`.
///
/// Start reading at [Feed], then [FeedFetcher].
@NullMarked
package org.bloomgate.lists.fetch;

import org.jspecify.annotations.NullMarked;
