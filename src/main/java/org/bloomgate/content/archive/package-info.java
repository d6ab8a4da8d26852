/// Unpacks zip, gzip and tar archives in memory: from bytes to members.
///
/// The lengths, offsets and counts in an archive come from its sender and are not trusted: members are cut at
/// the limits of [org.bloomgate.core.limit.Allowance], which all archives of one message share, and each limit
/// has a name. No structure is required that other readers do not require: a zip file is read by its directory
/// and by its local headers.
///
/// This package opens no file, starts no thread and does not recurse: the [ArchiveVisitor] decides what a
/// member is and whether it is opened in turn. Start reading at [ZipWalk].
@NullMarked
package org.bloomgate.content.archive;

import org.jspecify.annotations.NullMarked;
