package org.bloomgate.content.links;

import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.core.key.Place;

/// Finds URLs in any text only by their `:/`, `"//` or `www.`: in scripts, styles, comments, event handlers,
/// and parts beyond a limit. It accepts too much rather than too little: text that is not a URL costs only a
/// filter lookup.
public final class RawLinks {
    /// Hides nothing: the last letters of a longer word are taken as the scheme, and the host after any scheme
    /// is found.
    private static final int MAX_SCHEME_CHARS = 12;

    /// The shortest scheme that leads to a host; a single letter is a drive.
    private static final int SHORTEST_SCHEME = 3;

    private RawLinks() {}

    public static void read(char[] text, int from, int to, KeyExtractor keys, Place place) {
        read(text, from, to, keys, place, place.label());
    }

    /// The same for a place with another location for a person.
    public static void read(char[] text, int from, int to, KeyExtractor keys, Place place, String where) {
        int endOfLast = from;
        int i = from;
        while (i < to) {
            char c = text[i];
            int start = -1;
            if (c == ':') {
                start = schemeStart(text, endOfLast, i, to);
            } else if (c == '/') {
                start = afterQuote(text, from, i, to) ? i : -1;
            } else if (c == 'w' || c == 'W') {
                start = isWww(text, from, i, to) ? i : -1;
            }
            if (start < 0) {
                i++;
                continue;
            }
            int end = end(text, i, to);
            keys.url(text, start, end, place, where);
            if (keys.ended()) {
                return;
            }
            endOfLast = end;
            i = Math.max(end, i + 1);
        }
    }

    /// The start of the scheme before the colon at `colon`; -1 if there is none or no slash follows.
    private static int schemeStart(char[] text, int from, int colon, int to) {
        if (colon + 2 >= to || !isSlash(text[colon + 1])) {
            return -1;
        }
        int start = colon;
        int bound = Math.max(from, colon - MAX_SCHEME_CHARS);
        while (start > bound && HtmlTokenizer.isLetter(text[start - 1])) {
            start--;
        }
        return colon - start >= SHORTEST_SCHEME ? start : -1;
    }

    private static boolean afterQuote(char[] text, int from, int i, int to) {
        if (i == from || i + 2 >= to || text[i + 1] != '/' || !Character.isLetterOrDigit(text[i + 2])) {
            return false;
        }
        char before = text[i - 1];
        return before == '"' || before == '\'' || before == '(' || before == '=';
    }

    private static boolean isWww(char[] text, int from, int i, int to) {
        return Vocabulary.startsWithIgnoringCase(text, i, to, "www.")
                && (i == from || (!Character.isLetterOrDigit(text[i - 1]) && text[i - 1] != '.'));
    }

    private static int end(char[] text, int from, int to) {
        int i = from;
        while (i < to && !isDelimiter(text[i])) {
            i++;
        }
        return i;
    }

    private static boolean isDelimiter(char c) {
        return c <= ' '
                || c == '"'
                || c == '\''
                || c == '<'
                || c == '>'
                || c == '`'
                || c == ')'
                || c == '}'
                || c == '|'
                || c == '\u00a0'
                || c == '\u3000'
                || c == '\u007f';
    }

    static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }
}
