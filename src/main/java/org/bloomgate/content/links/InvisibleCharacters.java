package org.bloomgate.content.links;

import org.bloomgate.content.html.TextBuffer;

/// Removes characters without width: soft hyphen, zero-width space and joiners, direction marks, byte order
/// mark. Inside a host name they hide it from a program, but not from a person.
final class InvisibleCharacters {
    /// The soft hyphen.
    private static final char FIRST = 0xad;

    private InvisibleCharacters() {}

    /// @return whether the text has any character at or above the first of them in Unicode, as most non-Latin
    /// text has
    static boolean remove(TextBuffer text) {
        char[] chars = text.array();
        int length = text.length();
        int to = 0;
        while (to < length && chars[to] < FIRST) {
            to++;
        }
        if (to == length) {
            return false;
        }
        for (int i = to; i < length; i++) {
            if (!isInvisible(chars[i])) {
                chars[to++] = chars[i];
            }
        }
        text.truncate(to);
        return true;
    }

    private static boolean isInvisible(char c) {
        return c >= FIRST
                && (c == FIRST
                        || (c >= 0x200b && c <= 0x200f)
                        || (c >= 0x202a && c <= 0x202e)
                        || (c >= 0x2060 && c <= 0x2064)
                        || (c >= 0x2066 && c <= 0x2069)
                        || c == 0x180e
                        || c == 0xfeff);
    }
}
