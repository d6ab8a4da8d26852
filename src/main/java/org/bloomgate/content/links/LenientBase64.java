package org.bloomgate.content.links;

import java.util.Arrays;
import java.util.Base64;
import org.bloomgate.content.html.HtmlTokenizer;

/// Decodes base64 with other characters in it, and with padding that is missing or in the middle.
public final class LenientBase64 {
    private LenientBase64() {}

    public static byte[] decode(String base64) {
        byte[] digits = new byte[base64.length()];
        int length = 0;
        for (int i = 0; i < base64.length(); i++) {
            char c = base64.charAt(i);
            if (HtmlTokenizer.isLetter(c) || (c >= '0' && c <= '9') || c == '+' || c == '/') {
                digits[length++] = (byte) c;
            }
        }
        int whole = length % 4 == 1 ? length - 1 : length;
        return Base64.getDecoder().decode(Arrays.copyOf(digits, whole));
    }
}
