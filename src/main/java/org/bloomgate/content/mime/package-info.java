/// Reads a message as a person sees it: MIME parts, HTML, plain text, header fields and attachments are
/// read within limits, and every identifier in them is passed on as canonical keys.
///
/// Bytes flow in one direction: `MimeWalk` opens the parts, `HeaderFields` and `PartReader` find the text of
/// each, the packages `document` and `links` find links in it, and `links` makes identifiers and keys of them.
/// Files are digested only if a current filter contains such keys. Every step counts against one
/// `core/limit/Allowance`, and only documents within documents recurse, to a fixed depth.
///
/// This package never alters a message and never follows a link. A limit that is reached is part of the result,
/// not an error. So is an exception, as the limit `fault`: the identifier, field or part that caused it is
/// lost, and a field or part is scanned raw instead; the rest of the message is read normally. Start reading at
/// [MessageReader].
@NullMarked
package org.bloomgate.content.mime;

import org.jspecify.annotations.NullMarked;
