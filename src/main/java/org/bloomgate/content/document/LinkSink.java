package org.bloomgate.content.document;

import org.bloomgate.content.image.Drawing;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Who has a document read: pays for it and takes what is found.
public interface LinkSink {
    /// Pays for work about to be done; false when nothing more may be done.
    boolean spend(long units);

    /// Pays for bytes that were unpacked; false when nothing more may be.
    boolean unpacked(long bytes);

    /// The remaining allowance of the message.
    Allowance allowance();

    /// Something was left unread, by the name of the bound.
    void reached(Limit limit);

    /// A URL, or a server's share (`\\host\x`), that a click, or opening the document, follows.
    void link(String url);

    /// Text that a reader sees, or may.
    void text(String text);

    /// Text in HTML.
    void html(String html);

    /// A program, or a formula.
    void script(String script);

    /// False when a picture of this many pixels need not or may not be decoded; else it is paid for.
    boolean wantsPicture(int width, int height);

    /// A picture, a byte a sample, row after row.
    ///
    /// @param colours samples of a pixel: 1 for grey, 3 for red, green and blue, 4 for inks
    void picture(int width, int height, int colours, byte[] samples);

    /// Shapes that may be a code.
    void drawing(Drawing drawing);

    /// A file within, by what its name and bytes say.
    void file(String name, byte[] bytes, int length);

    /// The same in base64.
    void file(String name, String base64);
}
