package org.bloomgate.content.links;

import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.url.AsciiSet;

/// The URLs that CSS fetches: `url(..)`, `@import` and the strings of `image-set(..)`, `image(..)` and
/// `src(..)`. Other URLs in it are found at [Place#RAW]. Comments are removed first, then escapes (`\68 ttp`)
/// are decoded.
final class CssLinks {
    private static final String URL = "url(";
    private static final String IMPORT = "@import";
    /// Hides nothing: further digits are characters of the text.
    private static final int MAX_ESCAPE_DIGITS = 6;

    private static final String[] STRING_FUNCTIONS = {"image-set", "image", "src"};

    /// The characters that a link, or a function that contains one, may begin with.
    private static final AsciiSet MARKS = AsciiSet.of("uU@(:");

    private CssLinks() {}

    static void read(char[] css, int from, int to, HtmlLinkValue links, Place place) {
        boolean escapes = contains(css, from, to, '\\');
        if (escapes || contains(css, from, to, '*')) {
            TextBuffer bare = withoutComments(css, from, to);
            int length = escapes ? decode(bare.array(), bare.length()) : bare.length();
            readDecoded(bare.array(), 0, length, links, place);
        } else {
            readDecoded(css, from, to, links, place);
        }
    }

    private static void readDecoded(char[] css, int from, int to, HtmlLinkValue links, Place place) {
        boolean otherUrls = false;
        int i = from;
        while (i < to) {
            char c = css[i];
            if (!MARKS.has(c)) {
                i++;
                continue;
            }
            otherUrls |= c == ':' && i + 1 < to && RawLinks.isSlash(css[i + 1]);
            if ((c | 0x20) == 'u' && Vocabulary.startsWithIgnoringCase(css, i, to, URL)) {
                i = value(css, i + URL.length(), to, links, place);
            } else if (c == '@' && Vocabulary.startsWithIgnoringCase(css, i, to, IMPORT)) {
                int value = skipSpace(css, i + IMPORT.length(), to);
                boolean quoted = value < to && (css[value] == '"' || css[value] == '\'');
                i = quoted ? value(css, value, to, links, place) : value;
            } else if (c == '(' && takesStrings(css, from, i)) {
                i = strings(css, i + 1, to, links, place);
            } else {
                i++;
            }
        }
        if (otherUrls) {
            links.readRaw(css, from, to);
        }
    }

    /// Whether the parenthesis follows the name of a function whose strings are URLs.
    private static boolean takesStrings(char[] css, int from, int open) {
        for (String name : STRING_FUNCTIONS) {
            int start = open - name.length();
            if (start >= from && Vocabulary.startsWithIgnoringCase(css, start, open, name)) {
                return true;
            }
        }
        return false;
    }

    /// Reads every string up to the end of the function, or of the declaration if the function is not closed.
    private static int strings(char[] css, int from, int to, HtmlLinkValue links, Place place) {
        int i = from;
        while (i < to && css[i] != ')' && css[i] != ';' && css[i] != '}') {
            if (css[i] == '"' || css[i] == '\'') {
                i = value(css, i, to, links, place) + 1;
            } else if (Vocabulary.startsWithIgnoringCase(css, i, to, URL)) {
                i = value(css, i + URL.length(), to, links, place) + 1;
                i = i < to && css[i] == ')' ? i + 1 : i;
            } else {
                i++;
            }
        }
        return Math.min(i, to);
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

    private static boolean contains(char[] css, int from, int to, char c) {
        for (int i = from; i < to; i++) {
            if (css[i] == c) {
                return true;
            }
        }
        return false;
    }

    /// `/*` opens no comment within a string, nor within `url(` without quotes (CSS Syntax Level 3, 4.3.2, 4.3.6).
    private static TextBuffer withoutComments(char[] css, int from, int to) {
        TextBuffer bare = new TextBuffer(to - from);
        int uncopied = from;
        int i = from;
        while (i < to) {
            char c = css[i];
            if (c == '/' && i + 1 < to && css[i + 1] == '*') {
                bare.append(css, uncopied, i);
                i = endOfComment(css, i + 2, to);
                uncopied = i;
            } else if (c == '"' || c == '\'') {
                i = endOfString(css, i + 1, to, c);
            } else if ((c | 0x20) == 'u' && Vocabulary.startsWithIgnoringCase(css, i, to, URL)) {
                i = endOfUrl(css, i + URL.length(), to);
            } else {
                i += c == '\\' ? 2 : 1;
            }
        }
        return bare.append(css, uncopied, to);
    }

    private static int endOfComment(char[] css, int from, int to) {
        int i = from;
        while (i < to && !(css[i] == '/' && css[i - 1] == '*' && i > from)) {
            i++;
        }
        return Math.min(i + 1, to);
    }

    /// A line end without a backslash ends a string as well.
    private static int endOfString(char[] css, int from, int to, char quote) {
        int i = from;
        while (i < to && css[i] != quote && css[i] != '\n' && css[i] != '\r' && css[i] != '\f') {
            i += css[i] == '\\' ? 2 : 1;
        }
        return Math.min(i + 1, to);
    }

    private static int endOfUrl(char[] css, int from, int to) {
        int i = skipSpace(css, from, to);
        if (i < to && (css[i] == '"' || css[i] == '\'')) {
            return i;
        }
        while (i < to && css[i] != ')') {
            i += css[i] == '\\' ? 2 : 1;
        }
        return Math.min(i, to);
    }

    private static boolean isLineEnd(char c) {
        return c == '\n' || c == '\r' || c == '\f';
    }

    /// Decodes escapes (CSS Syntax Level 3, 4.3.7): up to six hex digits and one white space, or any character
    /// as itself; a backslash and the line end after it are removed. In place, because the text never becomes
    /// longer.
    ///
    /// @return the length of the decoded text
    private static int decode(char[] css, int length) {
        int decoded = 0;
        int i = 0;
        while (i < length) {
            char c = css[i++];
            if (c != '\\' || i == length) {
                css[decoded++] = c;
                continue;
            }
            int code = 0;
            int digits = 0;
            while (digits < MAX_ESCAPE_DIGITS && i < length && css[i] < 0x80 && Character.digit(css[i], 16) >= 0) {
                code = code * 16 + Character.digit(css[i++], 16);
                digits++;
            }
            if (digits == 0) {
                char escaped = css[i++];
                if (!isLineEnd(escaped)) {
                    css[decoded++] = escaped;
                }
            } else {
                css[decoded++] = code < 0x10000 ? (char) code : '\uFFFD';
                if (i < length && HtmlTokenizer.isSpace(css[i])) {
                    i++;
                }
            }
        }
        return decoded;
    }
}
