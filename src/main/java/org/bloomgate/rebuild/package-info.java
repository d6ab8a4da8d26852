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
/// The entry gates are the room `format`'s. [FeedGates] replaces one feed by its last good copy when it is read,
/// [FeedFaults] when the whole layer is known, and then the layer is built once more; [SnapshotGates] keeps everything
/// as it was; [Gates] is what force does to any of them.
///
/// The blast radius is about feeds alone and errs on the large side: it knows nothing of local exceptions, so mail
/// that one of them would let through counts as if it were refused, and so it does for `retro`. The hashes
/// of recent mail tell neither recipients nor which names stand below which, on which an exception's scope
/// and reach depend. Who finds the gate closed for that reason publishes with force, which the report
/// names.
///
/// Nothing here parses a line, hashes a key or writes a table: those are the rooms behind the doors. Must
/// not decide what a listing does to a mail.
///
/// Doors: `background`, `config`, `delta`, `disk`, `filter`, `net`, `range`, `sort`, `key`, `verdict`, `feed`,
/// `lookup` (the proof asks the store as a gateway does), `exact`, `format`, `journal` (what mail of the last
/// day held), `local`, `snapshot`. Start reading at [Rebuild].
@NullMarked
package org.bloomgate.rebuild;

import org.jspecify.annotations.NullMarked;
