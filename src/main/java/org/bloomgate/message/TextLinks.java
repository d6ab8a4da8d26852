package org.bloomgate.message;

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
    void read(TextBuffer text, TextPlaces places) {
        InvisibleCharacters.remove(text);
        int gap = 0;
        for (LinkSpan span : LINKS.extractLinks(text)) {
            hosts.read(text.array(), gap, span.getBeginIndex(), places);
            link(text, span, places);
            gap = span.getEndIndex();
            if (keys.budget().exhausted()) {
                return;
            }
        }
        hosts.read(text.array(), gap, text.length(), places);
    }

    private void link(TextBuffer text, LinkSpan span, TextPlaces places) {
        String link = new String(text.array(), span.getBeginIndex(), span.getEndIndex() - span.getBeginIndex());
        if (span.getType() == LinkType.EMAIL) {
            keys.address(link, places.addresses(), places.where(places.addresses()));
            return;
        }
        String where = places.where(places.links());
        keys.url(link, places.links(), where);
        int cut = endOfAscii(link);
        int path = link.indexOf('/', link.indexOf("//") + 2);
        if (cut < link.length() && (path < 0 || path > cut)) {
            keys.url(link.substring(0, cut), places.links(), where);
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
