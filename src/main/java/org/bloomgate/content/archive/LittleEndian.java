package org.bloomgate.content.archive;

import java.nio.charset.StandardCharsets;

/// Reads little-endian numbers and words in bytes. Bytes beyond the end are zero.
public final class LittleEndian {
    private LittleEndian() {}

    public static int at(byte[] bytes, int length, int at) {
        return at >= 0 && at < length ? bytes[at] & 0xff : 0;
    }

    public static int two(byte[] bytes, int length, int at) {
        return at(bytes, length, at) | at(bytes, length, at + 1) << 8;
    }

    public static long four(byte[] bytes, int length, int at) {
        return two(bytes, length, at) | (long) two(bytes, length, at + 2) << 16;
    }

    /// Whether `word`, a text in ASCII or Latin-1, is at `at`.
    public static boolean isAt(byte[] bytes, int length, int at, String word) {
        if (at < 0 || at + word.length() > length) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((bytes[at + i] & 0xff) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// The next position of `word`, or -1.
    public static int indexOf(byte[] bytes, int length, String word, int from) {
        byte first = (byte) word.charAt(0);
        for (int i = Math.max(0, from); i + word.length() <= length; i++) {
            if (bytes[i] == first && isAt(bytes, length, i, word)) {
                return i;
            }
        }
        return -1;
    }

    /// The last position of `word` at or before `from`, at most `back` bytes back, or -1.
    static int lastIndexOf(byte[] bytes, int length, String word, int from, int back) {
        for (int i = from; i >= Math.max(0, from - back); i--) {
            if (isAt(bytes, length, i, word)) {
                return i;
            }
        }
        return -1;
    }

    /// The text up to a zero.
    static String text(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }
}
