package org.bloomgate.core.url;

/// Trims the characters around an identifier in text that are not part of it.
public final class Trim {
    private static final byte E2 = (byte) 0xe2;
    private static final byte X80 = (byte) 0x80;

    /// The bytes of the widest of these characters.
    private static final int WIDEST = 3;

    private Trim() {}

    /// The start of the bytes without leading controls, blanks and invisible characters.
    public static int start(byte[] bytes, int from, int to) {
        int start = from;
        int width = 1;
        while (start < to && width > 0) {
            width = bytes[start] >= 0 && bytes[start] <= ' ' ? 1 : invisible(bytes, start, to);
            start += width;
        }
        return start;
    }

    /// The end of the bytes without trailing controls, blanks and invisible characters.
    public static int end(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from) {
            if (bytes[end - 1] >= 0 && bytes[end - 1] <= ' ') {
                end--;
            } else if (bytes[end - 1] < 0 && end - from >= 2 && invisible(bytes, end - 2, end) == 2) {
                end -= 2;
            } else if (bytes[end - 1] < 0 && end - from >= WIDEST && invisible(bytes, end - WIDEST, end) == WIDEST) {
                end -= 3;
            } else {
                return end;
            }
        }
        return end;
    }

    /// The number of bytes of U+00A0, U+200B-U+200F, U+2028, U+2029, U+3000 or U+FEFF at a position; otherwise
    /// 0.
    private static int invisible(byte[] bytes, int at, int to) {
        if (to - at >= 2 && bytes[at] == (byte) 0xc2 && bytes[at + 1] == (byte) 0xa0) {
            return 2;
        }
        if (to - at < WIDEST) {
            return 0;
        }
        int last = bytes[at + 2] & 0xff;
        boolean general = bytes[at] == E2 && bytes[at + 1] == X80 && isInvisible(last);
        boolean ideographic = bytes[at] == (byte) 0xe3 && bytes[at + 1] == X80 && last == 0x80;
        boolean byteOrderMark = bytes[at] == (byte) 0xef && bytes[at + 1] == (byte) 0xbb && last == 0xbf;
        return general || ideographic || byteOrderMark ? 3 : 0;
    }

    /// Whether this is the last byte of U+200B-U+200F, U+2028 or U+2029.
    private static boolean isInvisible(int last) {
        return (last >= 0x8b && last <= 0x8f) || last == 0xa8 || last == 0xa9;
    }

    /// The number of bytes of an opening bracket or quotation mark whose counterpart ends the text (`<>`, `""`,
    /// `''`, `“”`); otherwise 0. Only pairs count, because a link may end with a quote of its own.
    static int pair(byte[] bytes, int from, int to) {
        if (to - from >= 2) {
            byte open = bytes[from];
            byte close = bytes[to - 1];
            if ((open == '<' && close == '>') || ((open == '"' || open == '\'') && close == open)) {
                return 1;
            }
        }
        return to - from >= 2 * WIDEST && isCurly(bytes, from, 0x9c) && isCurly(bytes, to - 3, 0x9d) ? 3 : 0;
    }

    private static boolean isCurly(byte[] bytes, int at, int last) {
        return bytes[at] == E2 && bytes[at + 1] == X80 && (bytes[at + 2] & 0xff) == last;
    }
}
