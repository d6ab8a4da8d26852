package org.bloomgate.core.key;

import java.util.HexFormat;

/// Conversion of hexadecimal digits, for lists of billions of digests: a loop that allocates nothing.
public final class HexDigits {
    private HexDigits() {}

    /// Whether there are this many characters, each a hex digit of either case.
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
