package org.bloomgate.content.links;

import java.nio.charset.StandardCharsets;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.content.image.Pictures;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Reads the value of a link attribute, with its entities decoded, by the scheme of the link.
final class HtmlLinkValue {
    /// The last position of an escape within `https:`. Hides nothing: a later escape is behind the scheme.
    private static final int MAX_BEFORE_ESCAPE = "https".length();

    /// `https:` with each of its letters escaped. Hides nothing: the scheme ends before.
    private static final int MAX_ESCAPED_SCHEME = "%68%74%74%70%73%3a".length();

    /// The work for decoding a character of a `data:` link.
    private static final int WORK_PER_DATA_CHAR = 4;

    private final KeyExtractor keys;
    private final HtmlLinks document;

    HtmlLinkValue(KeyExtractor keys, HtmlLinks document) {
        this.keys = keys;
        this.document = document;
    }

    /// Reads one URL.
    void read(char[] value, int from, int to, Place place) {
        int start = from;
        while (start < to && isTrimmed(value[start])) {
            start++;
        }
        if (start == to || value[start] == '#' || !keys.pay(to - start)) {
            return;
        }
        String link = withoutBreaks(new String(value, start, to - start));
        String scheme = scheme(link);
        switch (scheme) {
            case "" -> withoutScheme(link, place);
            case "mailto" -> keys.address(link, place);
            case "javascript", "vbscript" -> script(link, place);
            case "data" -> data(link, place);
            case "cid", "mid", "about", "blob" -> {}
            default -> withScheme(link, scheme, place);
        }
    }

    /// Removes tabs and line ends, which are ignored everywhere in a URL (WHATWG URL, 4.4), and NUL, which old
    /// clients ignore: `/TAB/evil.example` begins with two slashes.
    private static String withoutBreaks(String link) {
        int i = 0;
        while (i < link.length() && !isBreak(link.charAt(i))) {
            i++;
        }
        if (i == link.length()) {
            return link;
        }
        StringBuilder result = new StringBuilder(link.length()).append(link, 0, i);
        for (; i < link.length(); i++) {
            char c = link.charAt(i);
            if (!isBreak(c)) {
                result.append(c);
            }
        }
        return result.toString();
    }

    private static boolean isBreak(char c) {
        return c == '\t' || c == '\r' || c == '\n' || c == 0;
    }

    /// A host with a port, `evil.example:8080/x`, looks like a scheme, but no scheme has a dot. After the
    /// scheme of an application there is often a whole URL, `microsoft-edge:https://..`, escaped or not, or a
    /// host.
    private void withScheme(String link, String scheme, Place place) {
        keys.url(link, scheme.indexOf('.') >= 0 ? schemeless(place) : place);
        if (scheme.startsWith("http")) {
            return;
        }
        String target = PercentDecoding.decode(link.substring(scheme.length() + 1));
        if (target.indexOf(':') >= 0) {
            RawLinks.read(target.toCharArray(), 0, target.length(), keys, place);
        } else if (SchemelessHosts.startsWithHost(target, keys.suffixes())) {
            keys.url(target, schemeless(place));
        }
    }

    /// Reads the URLs that a raw scan finds anywhere in the value.
    void readRaw(char[] value, int from, int to) {
        RawLinks.read(value, from, to, keys, Place.RAW);
    }

    private void withoutScheme(String link, Place place) {
        char first = link.charAt(0);
        if (RawLinks.isSlash(first) && link.length() > 2 && RawLinks.isSlash(link.charAt(1))) {
            keys.url(link, place);
        } else if (hasEscapedScheme(link)) {
            keys.url(link, place);
        } else {
            document.relative(link);
            if (SchemelessHosts.startsWithHost(link, keys.suffixes())) {
                keys.url(link, schemeless(place));
            }
        }
    }

    private static Place schemeless(Place place) {
        return place == Place.LINK ? Place.SCHEMELESS : place;
    }

    /// Whether a scheme is hidden by escapes: `http%3A//..`, `%68ttp:..`.
    private static boolean hasEscapedScheme(String link) {
        int percent = link.indexOf('%');
        if (percent < 0 || percent > MAX_BEFORE_ESCAPE) {
            return false;
        }
        String prefix = PercentDecoding.decode(link.substring(0, Math.min(link.length(), MAX_ESCAPED_SCHEME)));
        return prefix.regionMatches(true, 0, "http:", 0, 5) || prefix.regionMatches(true, 0, "https:", 0, 6);
    }

    private void script(String link, Place place) {
        char[] script =
                PercentDecoding.decode(link.substring(link.indexOf(':') + 1)).toCharArray();
        document.script(script, 0, script.length, place);
    }

    /// Reads `data:text/html;base64,..`, which is a document of its own (RFC 2397). A picture is recognized by
    /// its first bytes, as in browsers.
    private void data(String link, Place place) {
        int comma = link.indexOf(',');
        if (comma < 0 || !keys.allowance().spend((long) link.length() * WORK_PER_DATA_CHAR)) {
            return;
        }
        String type = TextForms.lowerCase(TextScan.without(link.substring("data:".length(), comma), TextScan::isBlank));
        byte[] bytes = PercentDecoding.bytes(link.substring(comma + 1), '%');
        if (type.contains(";base64")) {
            bytes = LenientBase64.decode(new String(bytes, StandardCharsets.UTF_8));
        }
        if (Pictures.isPicture(bytes, bytes.length)) {
            Pictures.read(bytes, bytes.length, keys.pictures());
        }
        if (type.startsWith("text/") || type.contains("svg") || type.contains("xml")) {
            char[] content = new String(bytes, StandardCharsets.UTF_8).toCharArray();
            document.nested(content, 0, content.length, place);
        }
    }

    /// Reads URLs that are separated by any of these characters.
    void readList(char[] value, int from, int to, String separators, Place place) {
        int start = from;
        for (int i = from; i <= to; i++) {
            if (i == to || separators.indexOf(value[i]) >= 0) {
                if (i > start) {
                    read(value, start, i, place);
                }
                start = i + 1;
            }
        }
    }

    /// Reads a source set, `a.png 1x, b.png 2x`: a comma separates only at the end of a URL or after a
    /// descriptor.
    void readSourceSet(char[] value, int from, int to, Place place) {
        int i = from;
        while (i < to) {
            while (i < to && (HtmlTokenizer.isSpace(value[i]) || value[i] == ',')) {
                i++;
            }
            int start = i;
            while (i < to && !HtmlTokenizer.isSpace(value[i])) {
                i++;
            }
            int end = i;
            boolean bare = end > start && value[end - 1] == ',';
            while (end > start && value[end - 1] == ',') {
                end--;
            }
            if (end > start) {
                read(value, start, end, place);
            }
            while (!bare && i < to && value[i] != ',') {
                i++;
            }
        }
    }

    /// Reads `0;url=http://..` of a refresh, or a plain URL (`og:image`).
    void readContent(char[] value, int from, int to, Place place) {
        MetaRefresh.target(value, from, to).ifPresent(target -> read(value, target.from(), target.to(), place));
        boolean whole = Vocabulary.startsWithIgnoringCase(value, from, to, "http");
        RawLinks.read(value, from, to, keys, whole ? place : Place.RAW);
    }

    /// The scheme in lower case; empty if there is none.
    private static String scheme(String link) {
        StringBuilder scheme = new StringBuilder();
        for (int i = 0; i < link.length(); i++) {
            char c = Vocabulary.lower(link.charAt(i));
            if (c == ':') {
                return scheme.toString();
            }
            boolean letter = c >= 'a' && c <= 'z';
            boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
            if (letter || (other && !scheme.isEmpty())) {
                scheme.append(c);
            } else {
                return "";
            }
        }
        return "";
    }

    /// Blanks, controls, quotes and invisible characters: clients differ in which of them they skip before a
    /// link.
    private static boolean isTrimmed(char c) {
        return c <= ' '
                || c == '\u00a0'
                || c == '\ufeff'
                || (c >= '\u200b' && c <= '\u200f')
                || c == '\u2028'
                || c == '\u2029'
                || c == '\u3000'
                || c == '\u201c'
                || c == '\u201d'
                || c == '"'
                || c == '\'';
    }
}
