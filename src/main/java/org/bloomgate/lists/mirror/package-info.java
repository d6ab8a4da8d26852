/// Snapshots of a publisher, fetched into the snapshots of this machine, where they are verified and adopted as any
/// other.
///
/// ```
///   Mirror          every interval: what does the publisher say is current? -> for each layer that is not so here:
///   Heard           the highest counter, kept: lower, other or expired statements are refused
///   SnapshotFetch   manifest, signature -> files -> verified -> published beside the others, the pointer last
///   HashedFilter    hashes here + what changed since -> filter, byte by byte, or the file itself
///   FileDownload    one file: what is here already, the rest by Range -> SHA-256
///   Publisher       one request: bounded in bytes and in time
/// ```
///
/// The publisher's statement decides, also when it returns to an earlier generation with a higher counter. Any
/// fault of it or of the transfer is a [Mirror] fault: logged once, shown while it lasts, and the previous
/// snapshot stays in use. Fetched files of a snapshot survive the end of the process and are used afterwards.
///
/// Must not: adopt anything, follow a redirect, believe a length or a path before it was checked.
///
/// Start reading at [Mirror] and [SharedEntriesFollower].
@NullMarked
package org.bloomgate.lists.mirror;

import org.jspecify.annotations.NullMarked;
