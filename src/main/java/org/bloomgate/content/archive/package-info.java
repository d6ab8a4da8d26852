/// Archives taken apart in memory: zip, gzip and tar, bytes in and members out.
///
/// Every length, offset and count in an archive was written by anyone who sent it. Nothing is believed:
/// members are cut at the bounds of [Allowance], which one message shares among all its archives, and
/// each bound has a name. No structure is needed where another reader would do without it: a zip is
/// walked by its directory and by its members' own headers.
///
/// Opens no file, starts nothing and does not recurse: what a member is, and whether it is opened in turn, is
/// for anyone who takes it ([ArchiveVisitor]). Start reading at [ZipWalk].
@NullMarked
package org.bloomgate.content.archive;

import org.jspecify.annotations.NullMarked;
