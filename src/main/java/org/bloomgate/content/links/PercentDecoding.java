package org.bloomgate.content.links;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// `%41` -> `A`, once; octets become UTF-8 text, a broken escape stays.
public final class PercentDecoding {
    private PercentDecoding() {}

    static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        return new String(octets(text, '%'), StandardCharsets.UTF_8);
    }

    /// @param escape what stands before two hex digits: `%`, or `=` in encoded words
    public static byte[] octets(String text, char escape) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < octets.length; i++) {
            if (octets[i] == escape && i + 2 < octets.length && hex(octets[i + 1]) >= 0 && hex(octets[i + 2]) >= 0) {
                octets[length++] = (byte) (hex(octets[i + 1]) * 16 + hex(octets[i + 2]));
                i += 2;
            } else {
                octets[length++] = octets[i];
            }
        }
        return Arrays.copyOf(octets, length);
    }

    private static int hex(byte digit) {
        return digit < 0 ? -1 : Character.digit(digit, 16);
    }
}
