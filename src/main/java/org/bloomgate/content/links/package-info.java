/// Extraction of identifiers that a reader could click, write to, call or read, from HTML, style, script, plain
/// text and raw bytes, and their conversion to canonical keys.
///
/// [HtmlLinks], [TextLinks] and [RawLinks] find them, [KeyExtractor] makes identifiers and keys of them, each
/// once a place. What can be clicked stands at a surer place than what only a raw scan finds. Words
/// (`MessageWords`) and phone numbers (`PhoneScan`) are taken only when a filter in force holds such keys.
/// Where in a message a text stands belongs to the package `message`.
///
/// The cost limits of a message are here as well, as every reader counts against them: [MessageLimits], one
/// [InspectionBudget] a message, and the [Inspection] with the limits that were reached. An exception is the
/// limit `fault` and costs only the identifier that caused it.
///
/// Never follows a link. Start reading at [KeyExtractor] and [HtmlLinks].
@NullMarked
package org.bloomgate.content.links;

import org.jspecify.annotations.NullMarked;
