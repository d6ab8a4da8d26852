/// Readers of attachments, for their links: PDF, RTF, Office and OpenDocument XML, calendars and cards, signed
/// messages, TNEF, uuencode. They take bytes or decoded text and call a [LinkSink].
///
/// No format is read in full. Each reader takes what a click or the opening of the document follows, the
/// text a reader sees, and files within, and is linear in its input. XML is scanned for tags: no parser,
/// so no entity is expanded here and none is ever fetched. Nothing a document says of lengths or offsets is believed,
/// and what is broken is read as far as it goes.
///
/// Evaluates nothing and knows no keys. Start reading at [LinkSink].
@NullMarked
package org.bloomgate.content.document;

import org.jspecify.annotations.NullMarked;
