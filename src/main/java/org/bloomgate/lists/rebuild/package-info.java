/// The nightly job: it makes a published snapshot from feeds, or changes nothing.
///
/// ```
///   feed -> fetched file, or last good copy -> lines -> keys -> gates of the feed
///                                                         | and retained listings of the previous snapshot
///                                     sort: runs -> one sequence, duplicates combined, counted by kind
///                                                         | one pass, in parallel with the previous keys
///                                     filters + exact store -> proof -> gates of the snapshot -> current -> copies
/// ```
///
/// The gates for single entries are in the package `format`. [FeedGates] checks each feed when it is read,
/// [FeedFaults] when the whole layer is known; a feed that fails is replaced by its last good copy, and after
/// [FeedFaults] the layer is built again. If [SnapshotGates] close, nothing is published. [ForcedGates] applies
/// force to all of them. [FeedOutcome] has what is known of a feed after each step.
///
/// Must not: parse a line, hash a key or write a table, which other packages do; decide the effect of a listing
/// on a message.
///
/// Start reading at [Rebuild], then [LayerRebuild], which has the steps in order.
@NullMarked
package org.bloomgate.lists.rebuild;

import org.jspecify.annotations.NullMarked;
