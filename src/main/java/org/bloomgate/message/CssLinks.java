package org.bloomgate.message;

import org.bloomgate.html.HtmlTokenizer;
import org.bloomgate.html.TextBuffer;
import org.bloomgate.html.Vocabulary;
import org.bloomgate.key.Place;

/// What CSS fetches: `url(..)` and `@import`; other URLs in it stand at [Place#RAW]. Escapes (`\68 ttp`) are decoded
/// first, comments are not taken out.
final class CssLinks {
    private static final String URL = "url(";
    private static final String IMPORT = "@import";

    private CssLinks() {}

    static void read(char[] css, int from, int to, HtmlLinkValue links, Place place) {
        if (holdsEscape(css, from, to)) {
            TextBuffer decoded = decode(css, from, to);
            readDecoded(decoded.array(), 0, decoded.length(), links, place);
        } else {
            readDecoded(css, from, to, links, place);
        }
    }

    private static void readDecoded(char[] css, int from, int to, HtmlLinkValue links, Place place) {
        boolean others = false;
        int i = from;
        while (i < to) {
            char c = css[i];
            others |= c == ':' && i + 1 < to && RawLinks.isSlash(css[i + 1]);
            if ((c | 0x20) == 'u' && Vocabulary.startsWithIgnoringCase(css, i, to, URL)) {
                i = value(css, i + URL.length(), to, links, place);
            } else if (c == '@' && Vocabulary.startsWithIgnoringCase(css, i, to, IMPORT)) {
                int value = skipSpace(css, i + IMPORT.length(), to);
                boolean quoted = value < to && (css[value] == '"' || css[value] == '\'');
                i = quoted ? value(css, value, to, links, place) : value;
            } else {
                i++;
            }
        }
        if (others) {
            links.readRaw(css, from, to);
        }
    }

    private static int value(char[] css, int from, int to, HtmlLinkValue links, Place place) {
        int i = skipSpace(css, from, to);
        char quote = i < to && (css[i] == '"' || css[i] == '\'') ? css[i++] : ')';
        int start = i;
        while (i < to && css[i] != quote) {
            i++;
        }
        links.read(css, start, i, place);
        return i;
    }

    private static int skipSpace(char[] css, int from, int to) {
        int i = from;
        while (i < to && HtmlTokenizer.isSpace(css[i])) {
            i++;
        }
        return i;
    }

    private static boolean holdsEscape(char[] css, int from, int to) {
        for (int i = from; i < to; i++) {
            if (css[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    /// CSS Syntax Level 3, 4.3.7: up to six hex digits and one white space, or any character as itself.
    private static TextBuffer decode(char[] css, int from, int to) {
        TextBuffer decoded = new TextBuffer(to - from + 1);
        int i = from;
        while (i < to) {
            char c = css[i++];
            if (c != '\\' || i == to) {
                decoded.append(c);
                continue;
            }
            int code = 0;
            int digits = 0;
            while (digits < 6 && i < to && css[i] < 0x80 && Character.digit(css[i], 16) >= 0) {
                code = code * 16 + Character.digit(css[i++], 16);
                digits++;
            }
            if (digits == 0) {
                decoded.append(css[i++]);
            } else {
                decoded.append(code < 0x10000 ? (char) code : '\uFFFD');
                if (i < to && HtmlTokenizer.isSpace(css[i])) {
                    i++;
                }
            }
        }
        return decoded;
    }
}
