/// A message as a reader would see it: MIME parts, HTML, plain text, header fields and attachments read
/// within limits, every identifier in them handed on as canonical keys.
///
/// Bytes go one way: `MimeWalk` opens the parts, `HeaderFields` and `PartReader` find the text of each, the
/// packages `document` and `text` find links in it, and the latter makes identifiers and keys of them. Files
/// are digested only when a filter in force holds such keys. Every step pays into one `text/InspectionBudget`,
/// and nothing recurses but documents within documents, to a fixed depth.
///
/// Never alters a message, never follows a link. A limit that is reached is part of the result, not an error,
/// and so is an exception, by the name `fault`: it costs the identifier, the field or the part that it came
/// from, which is scanned raw instead, and the rest of the message is read as if nothing had been. Start
/// reading at [MessageReader].
@NullMarked
package org.bloomgate.content.mime;

import org.jspecify.annotations.NullMarked;
