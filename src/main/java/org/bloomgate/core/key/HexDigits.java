package org.bloomgate.core.key;

import java.util.HexFormat;

/// Recognizes hexadecimal digits without allocation, for lists of billions of digests.
public final class HexDigits {
    private HexDigits() {}

    /// Whether the text has this many characters, each a hex digit of either case.
    public static boolean are(String text, int count) {
        if (text.length() != count) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (!HexFormat.isHexDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
