package org.bloomgate.content.document;

import org.bloomgate.content.image.Drawing;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Receives the content of a document, and supplies the allowance for reading it.
public interface LinkSink {
    /// Spends work that is about to be done; false if no more may be done.
    boolean spend(long units);

    /// Spends the work for unpacked bytes; false if no more may be unpacked.
    boolean spendUnpacked(long bytes);

    /// The remaining allowance of the message.
    Allowance allowance();

    /// Called when something is not read because of a limit.
    void reached(Limit limit);

    /// Receives a URL, or a share of a server (`\\host\x`), that a click on it or the opening of the document
    /// requests.
    void addLink(String url);

    /// Receives text that a reader sees or may see.
    void addText(String text);

    /// Receives text in HTML.
    void addHtml(String html);

    /// Receives a script or a formula.
    void addScript(String script);

    /// Whether a picture of this size is to be decoded; then its cost is spent. False if it cannot contain a
    /// code or no more pictures may be decoded.
    boolean wantsPicture(int width, int height);

    /// Receives a picture, with one byte a sample, row by row.
    ///
    /// @param colours samples of a pixel: 1 for grey, 3 for red, green and blue, 4 for inks
    void addPicture(int width, int height, int colours, byte[] samples);

    /// Receives shapes that may be a code.
    void addDrawing(Drawing drawing);

    /// Receives an embedded file, whose kind is recognized by its name and bytes.
    void addFile(String name, byte[] bytes, int length);

    /// Receives an embedded file in base64.
    void addFile(String name, String base64);

    /// Receives bytes that are a file if their head is that of one, and are searched for URLs otherwise.
    void addUnknown(byte[] bytes, int length);
}
