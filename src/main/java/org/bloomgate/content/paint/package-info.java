/// Lays out and paints markup, as far as a document may draw a code with it: boxes of HTML with their colours,
/// borders, gradients and block characters, and shapes of SVG. What is painted is an
/// [org.bloomgate.content.image.Drawing], in which codes are searched for.
///
/// This is not a browser: it has the layout of tables, blocks, inline blocks, floats, flexible boxes and grids,
/// with a width for each character that no font is asked for. Start reading at [MarkupPainter].
@NullMarked
package org.bloomgate.content.paint;

import org.jspecify.annotations.NullMarked;
