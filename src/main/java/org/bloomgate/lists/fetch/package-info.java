/// Feeds: the configuration of each list, its source, and how it is fetched, unpacked and split into lines. The
/// meaning of a line belongs to `format`.
///
/// Nothing is stored here between fetches; last good copies, bounds for a whole feed and publication belong to
/// `rebuild`.
///
/// Start reading at [Feed], then [FeedFetcher].
@NullMarked
package org.bloomgate.lists.fetch;

import org.jspecify.annotations.NullMarked;
