package org.bloomgate.message;

import org.bloomgate.key.Place;
import org.nibor.autolink.LinkExtractor;
import org.nibor.autolink.LinkSpan;
import org.nibor.autolink.LinkType;

/// URLs, addresses and host names written out in text. Links with a scheme, `www.` and addresses are found by autolink;
/// host names without a scheme by [SchemelessHosts] in the gaps between.
final class TextLinks {
    private static final LinkExtractor LINKS = LinkExtractor.builder().build();

    private final KeyExtractor keys;
    private final SchemelessHosts hosts;

    TextLinks(KeyExtractor keys) {
        this.keys = keys;
        this.hosts = new SchemelessHosts(keys);
    }

    /// Reads the text and takes invisible characters out of it.
    void read(TextBuffer text) {
        read(text, Place.TEXT, "");
    }

    /// @param addresses the place of addresses
    /// @param where for a reader; empty for the name of the place
    void read(TextBuffer text, Place addresses, String where) {
        InvisibleCharacters.remove(text);
        int gap = 0;
        for (LinkSpan span : LINKS.extractLinks(text)) {
            hosts.read(text.array(), gap, span.getBeginIndex(), where);
            link(text, span, addresses, where.isEmpty() ? Place.TEXT.label() : where);
            gap = span.getEndIndex();
            if (keys.budget().exhausted()) {
                return;
            }
        }
        hosts.read(text.array(), gap, text.length(), where);
    }

    private void link(TextBuffer text, LinkSpan span, Place addresses, String where) {
        String link = new String(text.array(), span.getBeginIndex(), span.getEndIndex() - span.getBeginIndex());
        if (span.getType() == LinkType.EMAIL) {
            keys.address(link, addresses, where);
            return;
        }
        keys.url(link, Place.TEXT, where);
        int cut = endOfAscii(link);
        int path = link.indexOf('/', link.indexOf("//") + 2);
        if (cut < link.length() && (path < 0 || path > cut)) {
            keys.url(link.substring(0, cut), Place.TEXT, where);
        }
    }

    /// Scripts without blanks glue words to a link: what of its host stands before the first
    /// character beyond ASCII is tried too.
    private static int endOfAscii(String link) {
        for (int i = 0; i < link.length(); i++) {
            if (link.charAt(i) >= 0x80) {
                return i;
            }
        }
        return link.length();
    }
}
