package org.bloomgate.core.url;

/// What surrounds an identifier in text without being part of it.
public final class Trim {
    private static final byte E2 = (byte) 0xe2;
    private static final byte X80 = (byte) 0x80;

    /// Octets of the widest character there is among them.
    private static final int WIDEST = 3;

    private Trim() {}

    /// The start of the octets without leading controls, blanks and invisible characters.
    public static int start(byte[] octets, int from, int to) {
        int start = from;
        int width = 1;
        while (start < to && width > 0) {
            width = octets[start] >= 0 && octets[start] <= ' ' ? 1 : invisible(octets, start, to);
            start += width;
        }
        return start;
    }

    /// The end of the octets without trailing ones.
    public static int end(byte[] octets, int from, int to) {
        int end = to;
        while (end > from) {
            if (octets[end - 1] >= 0 && octets[end - 1] <= ' ') {
                end--;
            } else if (octets[end - 1] < 0 && end - from >= 2 && invisible(octets, end - 2, end) == 2) {
                end -= 2;
            } else if (octets[end - 1] < 0 && end - from >= WIDEST && invisible(octets, end - WIDEST, end) == WIDEST) {
                end -= 3;
            } else {
                return end;
            }
        }
        return end;
    }

    /// Octets of U+00A0, U+200B-U+200F, U+2028, U+2029, U+3000 or U+FEFF at a place, else 0.
    private static int invisible(byte[] octets, int at, int to) {
        if (to - at >= 2 && octets[at] == (byte) 0xc2 && octets[at + 1] == (byte) 0xa0) {
            return 2;
        }
        if (to - at < WIDEST) {
            return 0;
        }
        int last = octets[at + 2] & 0xff;
        boolean general = octets[at] == E2 && octets[at + 1] == X80 && isInvisible(last);
        boolean ideographic = octets[at] == (byte) 0xe3 && octets[at + 1] == X80 && last == 0x80;
        boolean byteOrderMark = octets[at] == (byte) 0xef && octets[at + 1] == (byte) 0xbb && last == 0xbf;
        return general || ideographic || byteOrderMark ? 3 : 0;
    }

    /// The last octet of U+200B-U+200F, U+2028, U+2029.
    private static boolean isInvisible(int last) {
        return (last >= 0x8b && last <= 0x8f) || last == 0xa8 || last == 0xa9;
    }

    /// Octets of an opening bracket or quotation mark whose partner ends the text, else 0: `<>`, `""`, `''`, `“”`.
    /// Only pairs count, because a link may well end with a quote of its own.
    static int pair(byte[] octets, int from, int to) {
        if (to - from >= 2) {
            byte open = octets[from];
            byte close = octets[to - 1];
            if ((open == '<' && close == '>') || ((open == '"' || open == '\'') && close == open)) {
                return 1;
            }
        }
        return to - from >= 2 * WIDEST && isCurly(octets, from, 0x9c) && isCurly(octets, to - 3, 0x9d) ? 3 : 0;
    }

    private static boolean isCurly(byte[] octets, int at, int last) {
        return octets[at] == E2 && octets[at + 1] == X80 && (octets[at + 2] & 0xff) == last;
    }
}
