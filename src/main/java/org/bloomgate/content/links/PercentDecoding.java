package org.bloomgate.content.links;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Decodes percent escapes (`%41` -> `A`) once. The bytes are read as UTF-8; a broken escape stays as it is.
public final class PercentDecoding {
    private PercentDecoding() {}

    static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        return new String(bytes(text, '%'), StandardCharsets.UTF_8);
    }

    /// @param escape the character before two hex digits: `%`, or `=` in encoded words
    public static byte[] bytes(String text, char escape) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == escape && i + 2 < bytes.length && hex(bytes[i + 1]) >= 0 && hex(bytes[i + 2]) >= 0) {
                bytes[length++] = (byte) (hex(bytes[i + 1]) * 16 + hex(bytes[i + 2]));
                i += 2;
            } else {
                bytes[length++] = bytes[i];
            }
        }
        return Arrays.copyOf(bytes, length);
    }

    private static int hex(byte digit) {
        return digit < 0 ? -1 : Character.digit(digit, 16);
    }
}
