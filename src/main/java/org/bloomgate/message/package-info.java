/// A message as a reader would see it: MIME parts, HTML, plain text, header fields and attachments read
/// within limits, every identifier in them handed on as canonical keys.
///
/// Octets go one way: `MimeWalk` opens the parts, `HeaderFields` and `PartReader` find the text of each,
/// `HtmlLinks`, `TextLinks` and the room `document` find links in it, `KeyExtractor` makes identifiers
/// and keys of them. What a reader can click stands at a surer place than what only a raw scan finds.
/// Files are digested and words taken (`MessageWords`) only when a filter in force holds such keys. Every
/// step pays into one `InspectionBudget`, and nothing recurses but documents within documents, to a fixed
/// depth.
///
/// Never alters a message, never follows a link. A limit that is reached is part of the result, not an error,
/// and so is an exception, by the name [Inspection#FAULT]: it costs the identifier, the field or the part that
/// it came from, which is scanned raw instead, and the rest of the message is read as if nothing had been.
/// Doors: `url`, `archive`, `document`, `html`, `net`, `key`, `picture`. Start reading at [MessageReader].
@NullMarked
package org.bloomgate.message;

import org.jspecify.annotations.NullMarked;
