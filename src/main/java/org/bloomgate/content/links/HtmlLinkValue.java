package org.bloomgate.content.links;

import java.nio.charset.StandardCharsets;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.content.image.Pictures;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// The value of a link attribute, entities decoded: what kind of link it is, and where its URLs are.
final class HtmlLinkValue {
    /// The last position of an escape within `https:`. Hides nothing: a later one does not escape a scheme.
    private static final int MAX_BEFORE_ESCAPE = "https".length();

    /// `https:` with each of its letters escaped. Hides nothing: the scheme ends before.
    private static final int MAX_ESCAPED_SCHEME = "%68%74%74%70%73%3a".length();

    /// The work for decoding a document from its link.
    private static final int WORK_PER_DATA_CHAR = 4;

    private final KeyExtractor keys;
    private final HtmlLinks document;

    HtmlLinkValue(KeyExtractor keys, HtmlLinks document) {
        this.keys = keys;
        this.document = document;
    }

    /// One URL.
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
            case "tel", "sms", "smsto", "callto" ->
                keys.called(PercentDecoding.decode(link.substring(scheme.length() + 1)));
            case "cid", "mid", "about", "blob" -> {}
            default -> withScheme(link, scheme, place);
        }
    }

    /// Tabs and line ends do not count anywhere in a URL (WHATWG URL, 4.4), and NUL not in old clients:
    /// `/TAB/evil.example` begins with two slashes.
    private static String withoutBreaks(String link) {
        int i = 0;
        while (i < link.length() && !isBreak(link.charAt(i))) {
            i++;
        }
        if (i == link.length()) {
            return link;
        }
        StringBuilder kept = new StringBuilder(link.length()).append(link, 0, i);
        for (; i < link.length(); i++) {
            char c = link.charAt(i);
            if (!isBreak(c)) {
                kept.append(c);
            }
        }
        return kept.toString();
    }

    private static boolean isBreak(char c) {
        return c == '\t' || c == '\r' || c == '\n' || c == 0;
    }

    /// `evil.example:8080/x` has the form of a scheme too, but no scheme has a dot. Schemes of applications often
    /// carry a whole URL, `microsoft-edge:https://..`, escaped or not, or a host.
    private void withScheme(String link, String scheme, Place place) {
        keys.url(link, scheme.indexOf('.') >= 0 ? schemeless(place) : place);
        if (scheme.startsWith("http")) {
            return;
        }
        String carried = PercentDecoding.decode(link.substring(scheme.length() + 1));
        if (carried.indexOf(':') >= 0) {
            RawLinks.read(carried.toCharArray(), 0, carried.length(), keys, place);
        } else if (SchemelessHosts.startsWithHost(carried, keys.suffixes())) {
            keys.url(carried, schemeless(place));
        }
    }

    /// URLs anywhere in the value, as the raw scan finds them.
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

    /// `http%3A//..`, `%68ttp:..`
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

    /// `data:text/html;base64,..`: a document of its own (RFC 2397). A picture is what begins as one, as in browsers.
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

    /// URLs with any of these characters between them.
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

    /// `a.png 1x, b.png 2x`: a comma separates only at the end of a URL or behind a descriptor.
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

    /// `0;url=http://..` of a refresh, or a URL as it is (`og:image`).
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

    /// Blanks, controls and what is invisible: clients differ in what they skip before a link.
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
