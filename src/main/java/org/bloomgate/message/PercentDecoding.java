package org.bloomgate.message;

import java.nio.charset.StandardCharsets;

/// `%41` -> `A`, once; octets become UTF-8 text, a broken escape stays.
final class PercentDecoding {
    private PercentDecoding() {}

    static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < octets.length; i++) {
            if (octets[i] == '%' && i + 2 < octets.length && hex(octets[i + 1]) >= 0 && hex(octets[i + 2]) >= 0) {
                octets[length++] = (byte) (hex(octets[i + 1]) * 16 + hex(octets[i + 2]));
                i += 2;
            } else {
                octets[length++] = octets[i];
            }
        }
        return new String(octets, 0, length, StandardCharsets.UTF_8);
    }

    private static int hex(byte digit) {
        return digit < 0 ? -1 : Character.digit(digit, 16);
    }
}
