package org.bloomgate.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// A range as the text of the Pwned Passwords API: `SUFFIX:COUNT` lines, the digits in upper case, with CRLF between
/// the lines and none at the end.
final class RangeText {
    /// Lines of a padded answer, both inclusive; a range that is longer is not padded.
    static final int MIN_PADDED = 800;

    static final int MAX_PADDED = 1_000;

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    /// Longest count, and the colon and CRLF around it.
    private static final int MAX_REST = 19 + 3;

    private final int suffixDigits;
    private byte[] text;
    private int length;

    private RangeText(int suffixDigits, int lines) {
        this.suffixDigits = suffixDigits;
        text = new byte[(suffixDigits + MAX_REST) * lines];
    }

    static byte[] of(DigestRows rows) {
        RangeText text = new RangeText(2 * rows.digestBytes() - DigestPrefix.DIGITS, rows.size());
        for (int row = 0; row < rows.size(); row++) {
            text.line(rows, row);
        }
        return text.octets();
    }

    /// With made-up digests of count 0 after the real ones, so that the length of the answer, which an eavesdropper
    /// sees through TLS, does not tell the prefix.
    ///
    /// @param random unpredictable, else the padding could be told from the rest
    static byte[] padded(DigestRows rows, RandomGenerator random) {
        int lines = Math.max(rows.size(), random.nextInt(MIN_PADDED, MAX_PADDED + 1));
        RangeText text = new RangeText(2 * rows.digestBytes() - DigestPrefix.DIGITS, lines);
        for (int row = 0; row < rows.size(); row++) {
            text.line(rows, row);
        }
        byte[] digits = new byte[text.suffixDigits];
        for (int line = rows.size(); line < lines; line++) {
            random.nextBytes(digits);
            text.paddingLine(digits);
        }
        return text.octets();
    }

    /// A list that does not count has seen each of its entries once.
    private void line(DigestRows rows, int row) {
        int split = DigestPrefix.DIGITS / 2;
        text[length++] = HEX[rows.octet(row, split) & 0xf];
        for (int position = split + 1; position < rows.digestBytes(); position++) {
            int octet = rows.octet(row, position);
            text[length++] = HEX[octet >> 4];
            text[length++] = HEX[octet & 0xf];
        }
        end(Math.max(1, rows.count(row)));
    }

    private void paddingLine(byte[] digits) {
        for (byte digit : digits) {
            text[length++] = HEX[digit & 0xf];
        }
        end(0);
    }

    private void end(long count) {
        text[length++] = ':';
        int first = length;
        long rest = count;
        do {
            text[length++] = HEX[(int) (rest % 10)];
            rest /= 10;
        } while (rest > 0);
        reverse(first, length - 1);
        text[length++] = '\r';
        text[length++] = '\n';
    }

    private void reverse(int from, int to) {
        for (int left = from, right = to; left < right; left++, right--) {
            byte kept = text[left];
            text[left] = text[right];
            text[right] = kept;
        }
    }

    private byte[] octets() {
        return Arrays.copyOf(text, Math.max(0, length - 2));
    }
}
