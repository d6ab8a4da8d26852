/// The nightly job: feeds in, a published snapshot out, or nothing changed.
///
/// ```
///   feed -> fetched file, or last good copy -> lines -> keys -> gates of the feed
///                                                         | and what retention keeps of the snapshot before
///                                     sort: runs -> one sequence, duplicates folded, counted by kind
///                                                         | one walk, beside the keys of the snapshot before
///                                     filters + exact store -> proof -> gates of the snapshot -> current -> copies
/// ```
///
/// The entry gates are the package `format`'s. [FeedGates] replaces one feed by its last good copy when it is
/// read, [FeedFaults] when the whole layer is known, and then the layer is built once more; [SnapshotGates]
/// keeps everything as it was; [PublishChecks] is what force does to any of them.
///
/// Nothing here parses a line, hashes a key or writes a table: those are the packages behind the listeners.
/// Must not decide what a listing does to a message.
///
/// Start reading at [Rebuild].
@NullMarked
package org.bloomgate.lists.rebuild;

import org.jspecify.annotations.NullMarked;
