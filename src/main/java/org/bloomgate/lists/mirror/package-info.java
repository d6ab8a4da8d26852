/// Snapshots of a publisher, fetched into the snapshots of this machine, where they are verified and adopted as any
/// other.
///
/// ```
///   Mirror          every interval: what does the publisher say is current? -> for each layer that is not so here:
///   Heard           the highest counter, kept: lower, other or expired statements are refused
///   SnapshotFetch   manifest, signature -> files -> verified -> published beside the others, the pointer last
///   HashedFilter    hashes here + what changed since -> filter, byte by byte, or the file itself
///   ChangedEntries  the exact store here + what changed since -> its tables, byte by byte, or these themselves
///   FileDownload    one file: what is here already, the rest by Range -> SHA-256
///   Publisher       one request: bounded in bytes and in time
/// ```
///
/// The publisher's statement counts, also when it goes back with a higher counter. Whatever is wrong with it or on the
/// way is a [Mirror]
/// fault: said once in the log, shown while it stands, and the snapshot before stays in force. What was fetched of a
/// snapshot stays when the process dies, and is gone on with.
///
/// Must not: adopt anything, follow a redirect, believe a length or a path before it was checked.
///
/// Start reading at [Mirror] and [SharedEntriesFollower].
@NullMarked
package org.bloomgate.lists.mirror;

import org.jspecify.annotations.NullMarked;
