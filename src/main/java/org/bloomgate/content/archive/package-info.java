/// Archives taken apart in memory: zip, gzip and tar, bytes in and members out.
///
/// Every length, offset and count in an archive was written by its sender and is not trusted: members are cut
/// at the bounds of [org.bloomgate.core.limit.Allowance], which all archives of one message share, and each
/// bound has a name. No structure is required that another reader would do without: a zip is read by its
/// directory and by its local headers.
///
/// Opens no file, starts no thread and does not recurse: the [ArchiveVisitor] decides what a member is, and
/// whether it is opened in turn. Start reading at [ZipWalk].
@NullMarked
package org.bloomgate.content.archive;

import org.jspecify.annotations.NullMarked;
