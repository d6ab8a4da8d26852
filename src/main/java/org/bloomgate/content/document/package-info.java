/// Readers that find the links in attachments: PDF, RTF, Office and OpenDocument XML, calendars and contact
/// cards, signed messages, TNEF, uuencode. They read bytes or decoded text and call a [LinkSink].
///
/// No format is read in full. Each reader finds the links that a click or the opening of the document follows,
/// the text that a person sees, and embedded files, and is linear in its input. XML is scanned for tags without
/// a parser, so no entity is expanded here and none is ever fetched. Lengths and offsets in a document are not
/// trusted, and damaged documents are read as far as possible.
///
/// This package evaluates nothing and knows no keys. Start reading at [LinkSink].
@NullMarked
package org.bloomgate.content.document;

import org.jspecify.annotations.NullMarked;
