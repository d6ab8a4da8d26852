package org.bloomgate.content.links;

import org.bloomgate.content.html.TextBuffer;

/// Characters of no width: soft hyphen, zero-width space and joiners, direction marks, byte order mark. Inside
/// a host name they hide it from a program that reads bytes, but not from a person.
final class InvisibleCharacters {
    /// The soft hyphen.
    private static final char FIRST = 0xad;

    private InvisibleCharacters() {}

    /// @return whether there was anything from the first of them on, in the order of Unicode: most that is not Latin
    static boolean remove(TextBuffer text) {
        char[] chars = text.array();
        int length = text.length();
        int kept = 0;
        while (kept < length && chars[kept] < FIRST) {
            kept++;
        }
        if (kept == length) {
            return false;
        }
        for (int i = kept; i < length; i++) {
            if (!isInvisible(chars[i])) {
                chars[kept++] = chars[i];
            }
        }
        text.truncate(kept);
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
