package org.bloomgate.content.links;

import java.util.Optional;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.content.image.BlockText;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.AsciiSet;

/// Finds URLs, addresses and host names in text. The library autolink finds links with a scheme, `www.` and
/// addresses; [SchemelessHosts] finds host names without a scheme in the gaps between.
public final class TextLinks {
    /// The number of characters from which dashes or equals signs are a ruled line.
    static final int SHORTEST_RULE = 3;

    /// The ASCII characters of an authority.
    private static final AsciiSet AUTHORITY = AsciiSet.lettersDigitsAnd("-._~%:@[]");

    private final KeyExtractor keys;
    private final SchemelessHosts hosts;

    /// The links that autolink found, by place.
    private final SeenTexts spans = new SeenTexts();

    public TextLinks(KeyExtractor keys) {
        this.keys = keys;
        this.hosts = new SchemelessHosts(keys);
    }

    /// Reads the text, and removes invisible characters from it.
    public void read(TextBuffer text, TextPlaces places) {
        boolean beyondAscii = InvisibleCharacters.remove(text);
        if (places.shown()) {
            keys.visibleText(text);
            if (beyondAscii) {
                BlockText.read(text.array(), text.length(), keys.pictures());
            }
        }
        if (places.links() == Place.TEXT || places.links() == Place.PDF) {
            keys.phones(text, places.where());
        }
        enclosed(text, places);
        int gap = 0;
        WrittenLinks links = new WrittenLinks(text.array(), text.length());
        while (links.next()) {
            hosts.read(text.array(), gap, links.from(), places);
            link(text, links, places);
            gap = links.isMailto() ? links.from() : links.to();
            if (keys.ended()) {
                return;
            }
        }
        hosts.read(text.array(), gap, text.length(), places);
    }

    /// `<http://a.exam NEWLINE ple/x>`: the text between angle brackets is one URL, however its lines were
    /// broken (RFC 3986 C).
    private void enclosed(TextBuffer text, TextPlaces places) {
        char[] chars = text.array();
        int length = text.length();
        int i = 0;
        while (i < length) {
            while (i < length && chars[i] != '<') {
                i++;
            }
            int open = ++i;
            boolean broken = false;
            while (i < length && chars[i] != '>' && chars[i] != '<') {
                broken |= chars[i] == '\n' || chars[i] == '\r';
                i++;
            }
            if (broken && i < length && chars[i] == '>' && keys.pay(i - open)) {
                enclosed(new String(chars, open, i - open), places);
            }
        }
    }

    private void enclosed(String text, TextPlaces places) {
        String url = TextScan.without(text, TextScan::isBlank);
        String bare = url.regionMatches(true, 0, "url:", 0, 4) ? url.substring(4) : url;
        if (bare.regionMatches(true, 0, "http", 0, 4) || bare.regionMatches(true, 0, "www.", 0, 4)) {
            keys.url(bare, places.links(), places.where(places.links()));
        }
    }

    private void link(TextBuffer text, WrittenLinks links, TextPlaces places) {
        int from = links.from();
        int to = links.to();
        boolean address = links.isAddress() || Vocabulary.startsWithIgnoringCase(text.array(), from, to, "mailto:");
        Place place = address ? places.addresses() : places.links();
        Optional<String> link = keys.pay(to - from) ? spans.add(place, text.array(), from, to) : Optional.empty();
        if (link.isEmpty()) {
            return;
        }
        if (address) {
            address(link.get(), places);
        } else {
            link(link.get(), places);
        }
    }

    private void link(String link, TextPlaces places) {
        String where = places.where(places.links());
        keys.url(link, places.links(), where);
        int end = endOfFirst(link);
        if (end < link.length()) {
            keys.url(link.substring(0, end), places.links(), where);
        }
    }

    private void address(String address, TextPlaces places) {
        String where = places.where(places.addresses());
        keys.address(address, places.addresses(), where);
        int at = address.lastIndexOf('@');
        if (at < 0) {
            return;
        }
        int start = at;
        while (start > 0 && address.charAt(start - 1) < 0x80) {
            start--;
        }
        int end = at + 1;
        while (end < address.length() && address.charAt(end) < 0x80) {
            end++;
        }
        if (end - start < address.length()) {
            keys.address(address.substring(start, end), places.addresses(), where);
        }
    }

    /// The end of a link without text that follows it directly: words of scripts without blanks, an apostrophe,
    /// a parenthesis that is not closed, an `@` at the end, or a character that no authority has
    /// (`http://a.example,http://b.example`). Mail clients differ in this, so both ends are looked up.
    private static int endOfFirst(String link) {
        int path = link.indexOf("//") + 2;
        while (path < link.length() && isOfAuthority(link, path)) {
            path++;
        }
        boolean glued = path < link.length() && "/\\?#".indexOf(link.charAt(path)) < 0;
        return glued ? path : endOfPath(link, path);
    }

    /// A line of dashes or equals signs is not part of the URL before it.
    private static boolean isRule(String link, int at) {
        return link.startsWith("---", at) || link.startsWith("===", at);
    }

    private static boolean isOfAuthority(String link, int at) {
        char c = link.charAt(at);
        return AUTHORITY.has(c) && !(c == '-' && isRule(link, at));
    }

    /// Searches as far into a path as wrapped links are searched for; a longer link counts as a whole.
    private static int endOfPath(String link, int from) {
        int closed = link.lastIndexOf(')');
        int bound = Math.min(link.length(), from + KeyExtractor.MAX_URL_CHARS);
        for (int i = from; i < bound; i++) {
            if (maybeGlued(link, i, closed)) {
                return i;
            }
        }
        return link.length();
    }

    /// @param closed position of the last closing parenthesis
    private static boolean maybeGlued(String link, int at, int closed) {
        char c = link.charAt(at);
        return switch (c) {
            case ',' -> link.startsWith("http", at + 1);
            case '\'' -> true;
            case '-', '=' -> isRule(link, at);
            case '(' -> closed < at;
            case '@' -> at == link.length() - 1;
            default -> c >= 0x80;
        };
    }
}
