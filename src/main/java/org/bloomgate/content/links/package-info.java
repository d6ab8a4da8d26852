/// Extracts the identifiers that a reader could click, write to, call or read from HTML, styles, scripts, plain
/// text and raw bytes, and converts them to canonical keys.
///
/// [HtmlLinks], [TextLinks] and [RawLinks] find them, [KeyExtractor] makes identifiers and keys of them, each
/// once for each place. A clickable link has a more reliable place than one that only a raw scan finds. Words
/// (`MessageWords`) and phone numbers (`PhoneScan`) are extracted only if a current filter contains such keys.
/// The package `mime` decides where in a message a text is.
///
/// Every reader counts against the [org.bloomgate.core.limit.Allowance] of the message; the [Inspection] has the limits
/// that were reached. An exception is the limit `fault` and costs only the identifier that caused it.
///
/// This package never follows a link. Start reading at [KeyExtractor] and [HtmlLinks].
@NullMarked
package org.bloomgate.content.links;

import org.jspecify.annotations.NullMarked;
