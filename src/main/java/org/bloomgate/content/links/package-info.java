/// What a reader of a text could click, write to, call or read: identifiers in HTML, style, script, plain text
/// and raw bytes, handed on as canonical keys.
///
/// [HtmlLinks], [TextLinks] and [RawLinks] find them, [KeyExtractor] makes identifiers and keys of them, each
/// once a place. What can be clicked stands at a surer place than what only a raw scan finds. Words
/// (`MessageWords`) and phone numbers (`PhoneScan`) are taken only when a filter in force holds such keys.
/// Where in a message a text stands belongs to the package `message`.
///
/// What a message may cost is here too, as all who read one pay into it: [MessageLimits], one
/// [InspectionBudget] a message, and the [Inspection] that says which limits were reached. An exception is the
/// limit [Inspection#FAULT] and costs the identifier alone that it came from.
///
/// Never follows a link. Start reading at [KeyExtractor] and [HtmlLinks].
@NullMarked
package org.bloomgate.content.links;

import org.jspecify.annotations.NullMarked;
