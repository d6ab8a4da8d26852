package org.bloomgate.content.mime;

import org.bloomgate.content.html.TextBuffer;

/// Decodes UTF-7 (RFC 2152), which the JDK does not support: `+ADw-` is `<`. Mail clients have dropped it, but
/// it was used to bypass filters that do not read it.
final class Utf7 {
    private Utf7() {}

    static void decode(byte[] bytes, int length, TextBuffer out) {
        int i = 0;
        while (i < length) {
            char c = (char) (bytes[i++] & 0xff);
            if (c != '+') {
                out.append(c);
            } else if (i < length && bytes[i] == '-') {
                out.append('+');
                i++;
            } else {
                i = decodeShifted(bytes, i, length, out);
            }
        }
    }

    /// Decodes UTF-16 in base64 without padding up to the first byte outside base64; a `-` there is consumed.
    private static int decodeShifted(byte[] bytes, int from, int length, TextBuffer out) {
        int bits = 0;
        int bitCount = 0;
        int i = from;
        while (i < length && decodeDigit(bytes[i]) >= 0) {
            bits = bits << 6 | decodeDigit(bytes[i++]);
            bitCount += 6;
            if (bitCount >= Character.SIZE) {
                bitCount -= Character.SIZE;
                out.append((char) (bits >>> bitCount));
                bits &= (1 << bitCount) - 1;
            }
        }
        return i < length && bytes[i] == '-' ? i + 1 : i;
    }

    private static int decodeDigit(byte c) {
        if (c >= 'A' && c <= 'Z') {
            return c - 'A';
        }
        if (c >= 'a' && c <= 'z') {
            return c - 'a' + 26;
        }
        if (c >= '0' && c <= '9') {
            return c - '0' + 52;
        }
        return c == '+' ? 62 : c == '/' ? 63 : -1;
    }
}
