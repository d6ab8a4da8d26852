/// Snapshots of a publisher, fetched into the snapshots of this machine, where they are verified and adopted as
/// any other.
///
/// ```
///   Mirror             every interval: the publisher's statement -> each layer whose generation is not here:
///   LastSeenStatement  the highest counter, stored: lower, different or expired statements are rejected
///   SnapshotFetch      manifest, signature -> files -> verified -> published beside the others, pointer last
///   HashedFilter       hashes here + their delta -> filter, byte by byte, or the file itself
///   FileDownload       one file: the part that is here, the rest by Range -> SHA-256
///   Publisher          one request: bounded in bytes and in time
///   MemoryExchange     files of what the gateways of a group have seen, by the same requests to each of them
/// ```
///
/// The publisher's statement decides, also when it returns to an earlier generation with a higher counter. Any
/// fault of the statement or the transfer is logged once and shown while it lasts, and the previous snapshot
/// stays in use. Fetched files of a snapshot survive the end of the process and are used afterwards.
///
/// Must not: adopt anything, follow a redirect, believe a length or a path before it was checked.
///
/// Start reading at [Mirror] and [SharedEntriesFollower].
@NullMarked
package org.bloomgate.lists.mirror;

import org.jspecify.annotations.NullMarked;
