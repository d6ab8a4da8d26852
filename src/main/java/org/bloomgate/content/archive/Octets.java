package org.bloomgate.content.archive;

import java.nio.charset.StandardCharsets;

/// Numbers and words in octets, little end first. What lies beyond the end is zero.
public final class Octets {
    private Octets() {}

    public static int at(byte[] octets, int length, int at) {
        return at >= 0 && at < length ? octets[at] & 0xff : 0;
    }

    public static int two(byte[] octets, int length, int at) {
        return at(octets, length, at) | at(octets, length, at + 1) << 8;
    }

    public static long four(byte[] octets, int length, int at) {
        return two(octets, length, at) | (long) two(octets, length, at + 2) << 16;
    }

    /// True when `word`, a text of ASCII or Latin-1, stands at `at`.
    public static boolean standsAt(byte[] octets, int length, int at, String word) {
        if (at < 0 || at + word.length() > length) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((octets[at + i] & 0xff) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Where `word` stands next, or -1.
    public static int indexOf(byte[] octets, int length, String word, int from) {
        byte first = (byte) word.charAt(0);
        for (int i = Math.max(0, from); i + word.length() <= length; i++) {
            if (octets[i] == first && standsAt(octets, length, i, word)) {
                return i;
            }
        }
        return -1;
    }

    /// Where `word` stands last at or before `from`, at most `back` octets back, or -1.
    static int lastIndexOf(byte[] octets, int length, String word, int from, int back) {
        for (int i = from; i >= Math.max(0, from - back); i--) {
            if (standsAt(octets, length, i, word)) {
                return i;
            }
        }
        return -1;
    }

    /// The text up to a zero.
    static String text(byte[] octets, int from, int to) {
        int end = from;
        while (end < to && octets[end] != 0) {
            end++;
        }
        return new String(octets, from, end - from, StandardCharsets.UTF_8);
    }
}
