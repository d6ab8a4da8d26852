package org.bloomgate.content.links;

import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.image.ImageVisitor;
import org.bloomgate.core.key.Place;

/// Finds the links in the codes of pictures, which a phone camera would open: at [Place#QR].
public final class PictureCodes extends ImageVisitor {
    private final KeyExtractor keys;

    PictureCodes(KeyExtractor keys) {
        super(keys.allowance());
        this.keys = keys;
    }

    /// A camera opens content that is a URL as a whole. Other content is text, such as contact cards and
    /// messages to send, some of which have a backslash before punctuation.
    @Override
    public void code(String text) {
        if (!keys.allowance().spend(text.length())) {
            return;
        }
        String plain = text.indexOf('\\') < 0 ? text : text.replace("\\", "");
        String url = plain.strip();
        if (url.regionMatches(true, 0, "http", 0, 4)) {
            keys.url(url, Place.QR);
        }
        keys.phoneCode(url);
        new TextLinks(keys).read(new TextBuffer(Math.max(16, plain.length())).append(plain), TextPlaces.CODE);
    }
}
