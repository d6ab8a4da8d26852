/// Snapshots on disk: immutable directories `<root>/<layer>/<generation>/`, written whole or not at all, verified
/// before they are adopted, one `current` pointer for each layer.
///
/// ```
///   SnapshotWriter        .building-<generation>/ -> files, manifest.json (.sig) -> fsync -> rename -> current
///   SnapshotCopy          .incoming-<generation>/ -> verified -> fsync -> rename -> current
///   SnapshotReader        manifest.json (.sig), its own SHA-256 -> sizes, checksums or SHA-256 -> filters mapped
///   PublishedStateWriter  current of every layer -> announced, signed, for mirrors
///   LiveSnapshots         current of every layer -> SnapshotReader -> one reference swapped -> leases
/// ```
///
/// The pointer is a small file and not a symbolic link: it is replaced by the same durable rename as everything
/// else, can be served and compared as bytes, and names a generation instead of a path. This package does not
/// know the format of the exact store; its files are hashed like any other.
///
/// Every byte is verified by SHA-256 before a snapshot is used.
///
/// Must not: change a published directory, fetch anything, decide whether a snapshot is worth publishing.
///
/// Start reading at [SnapshotWriter] and [LiveSnapshots].
@NullMarked
package org.bloomgate.lists.snapshot;

import org.jspecify.annotations.NullMarked;
