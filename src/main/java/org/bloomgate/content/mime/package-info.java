/// A message as a reader would see it: MIME parts, HTML, plain text, header fields and attachments read
/// within limits, every identifier in them handed on as canonical keys.
///
/// Bytes flow in one direction: `MimeWalk` opens the parts, `HeaderFields` and `PartReader` find the text of
/// each, the packages `document` and `links` find links in it, and the latter makes identifiers and keys of
/// them. Files are digested only if a current filter contains such keys. Every step counts against one
/// `core/limit/Allowance`, and only documents within documents recurse, to a fixed depth.
///
/// Never alters a message, never follows a link. A limit that is reached is part of the result, not an error,
/// and so is an exception, by the name `fault`: it costs the identifier, the field or the part that it came
/// from, which is scanned raw instead, and the rest of the message is read as if nothing had been. Start
/// reading at [MessageReader].
@NullMarked
package org.bloomgate.content.mime;

import org.jspecify.annotations.NullMarked;
