package org.bloomgate.content.html;

import org.jsoup.nodes.Entities;

/// Decodes the character references of HTML as browsers do: numeric or named, with or without a semicolon.
public final class HtmlEntities {
    /// The length of the longest name, `CounterClockwiseContourIntegral`. Hides nothing: a longer run of letters is not
    /// a name.
    private static final int MAX_NAME_CHARS = 31;

    /// The length of the longest names that count without a semicolon, such as `Aacute`. Hides nothing: all longer
    /// names need the semicolon.
    private static final int MAX_BARE_NAME_CHARS = 6;

    /// The characters that browsers show for 0x80 to 0x9F: windows-1252.
    private static final String C1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

    private HtmlEntities() {}

    /// Whether the text may contain a character reference.
    public static boolean containsReference(char[] html, int from, int to) {
        for (int i = from; i < to; i++) {
            if (html[i] == '&') {
                return true;
            }
        }
        return false;
    }

    /// Appends the decoded text to `out`.
    public static void decodeText(char[] html, int from, int to, TextBuffer out) {
        decode(html, from, to, false, out);
    }

    /// The same for an attribute's value, where `&copy=` stays as it is.
    public static void decodeAttribute(char[] html, int from, int to, TextBuffer out) {
        decode(html, from, to, true, out);
    }

    private static void decode(char[] html, int from, int to, boolean attribute, TextBuffer out) {
        int copied = from;
        int i = from;
        while (i < to) {
            if (html[i] != '&' || !opensReference(html, i + 1, to)) {
                i++;
                continue;
            }
            out.append(html, copied, i);
            int next = i + 1 < to && html[i + 1] == '#'
                    ? decodeNumeric(html, i + 2, to, out)
                    : decodeNamed(html, i + 1, to, attribute, out);
            copied = next < 0 ? i : next;
            i = next < 0 ? i + 1 : next;
        }
        out.append(html, copied, to);
    }

    private static boolean opensReference(char[] html, int from, int to) {
        return from < to && (html[from] == '#' ? from + 1 < to : isAlphanumeric(html[from]));
    }

    private static int decodeNumeric(char[] html, int from, int to, TextBuffer out) {
        boolean hex = from < to && (html[from] | 0x20) == 'x';
        int radix = hex ? 16 : 10;
        int first = hex ? from + 1 : from;
        int i = first;
        int code = 0;
        while (i < to && html[i] < 0x80 && Character.digit(html[i], radix) >= 0) {
            code = Math.min(code * radix + Character.digit(html[i], radix), Character.MAX_CODE_POINT + 1);
            i++;
        }
        if (i == first) {
            return -1;
        }
        append(code, out);
        return i < to && html[i] == ';' ? i + 1 : i;
    }

    private static void append(int code, TextBuffer out) {
        if (code == 0 || code > Character.MAX_CODE_POINT || (code >= 0xD800 && code <= 0xDFFF)) {
            out.append('\uFFFD');
        } else if (code >= 0x80 && code <= 0x9F) {
            out.append(C1.charAt(code - 0x80));
        } else if (code < 0x10000) {
            out.append((char) code);
        } else {
            out.append(Character.highSurrogate(code)).append(Character.lowSurrogate(code));
        }
    }

    private static int decodeNamed(char[] html, int from, int to, boolean attribute, TextBuffer out) {
        int i = from;
        int bound = Math.min(to, from + MAX_NAME_CHARS);
        while (i < bound && isAlphanumeric(html[i])) {
            i++;
        }
        if (i == from) {
            return -1;
        }
        char common = findCommon(html, from, i);
        if (common != 0 && (i == to || html[i] != '=' || !attribute)) {
            out.append(common);
            return i < to && html[i] == ';' ? i + 1 : i;
        }
        String name = new String(html, from, i - from);
        if (i < to && html[i] == ';') {
            String value = Entities.getByName(name);
            if (!value.isEmpty()) {
                out.append(value);
                return i + 1;
            }
        }
        return decodeWithoutSemicolon(name, html, from, to, attribute, out);
    }

    /// The character of one of the most frequent names in mail; otherwise 0.
    private static char findCommon(char[] html, int from, int to) {
        return switch (to - from) {
            case 2 -> html[from + 1] != 't' ? 0 : html[from] == 'l' ? '<' : html[from] == 'g' ? '>' : (char) 0;
            case 3 -> html[from] == 'a' && html[from + 1] == 'm' && html[from + 2] == 'p' ? '&' : (char) 0;
            case 4 -> isNoBreakSpace(html, from) ? '\u00a0' : (char) 0;
            default -> 0;
        };
    }

    private static boolean isNoBreakSpace(char[] html, int from) {
        return html[from] == 'n' && html[from + 1] == 'b' && html[from + 2] == 's' && html[from + 3] == 'p';
    }

    /// Decodes old names (`&amp`, `&lt`, `&nbsp`, ..), which also count without a semicolon, even directly
    /// before other text; in an attribute, they do not count before a letter, a digit or `=`.
    private static int decodeWithoutSemicolon(
            String name, char[] html, int from, int to, boolean attribute, TextBuffer out) {
        for (int length = Math.min(name.length(), MAX_BARE_NAME_CHARS); length >= 2; length--) {
            String prefix = name.substring(0, length);
            if (Entities.isBaseNamedEntity(prefix)) {
                int end = from + length;
                if (attribute && end < to && (html[end] == '=' || isAlphanumeric(html[end]))) {
                    return -1;
                }
                out.append(Entities.getByName(prefix));
                return end;
            }
        }
        return -1;
    }

    private static boolean isAlphanumeric(char c) {
        return HtmlTokenizer.isLetter(c) || (c >= '0' && c <= '9');
    }
}
