package org.bloomgate.lookup.password;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.bloomgate.lookup.password.PasswordCheck.Strength;

/// A range as the text of the Pwned Passwords API: `SUFFIX:COUNT` lines, the digits in upper case, with CRLF between
/// the lines and none at the end.
public final class RangeText {
    /// The fewest lines of a padded answer.
    static final int MIN_PADDED = 800;

    /// The fewest and the most random lines that are added to a range of any size, as by the original.
    static final int MIN_PADDING = 10;

    static final int MAX_PADDING = 209;

    private static final byte[] PADDING_END = ":0\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    /// Longest count, and the colon and CRLF around it.
    private static final int MAX_REST = 19 + 3;

    private byte[] text;
    private int length;

    private RangeText(int suffixDigits, int lines) {
        text = new byte[(suffixDigits + MAX_REST) * lines];
    }

    public static byte[] of(DigestRows rows) {
        RangeText text = new RangeText(2 * rows.digestBytes() - DigestPrefix.DIGITS, rows.size());
        for (int row = 0; row < rows.size(); row++) {
            text.appendLine(rows, row);
        }
        return text.toBytes();
    }

    /// A range followed by random digests of count 0, so that the length of the answer, which an eavesdropper
    /// sees through TLS, does not reveal the prefix.
    ///
    /// @param range as of [#of]
    /// @param rows of the range
    /// @param random unpredictable, otherwise the padding could be recognised
    public static byte[] pad(byte[] range, int rows, int suffixDigits, RandomGenerator random) {
        int padding = Math.max(MIN_PADDED - MIN_PADDING - rows, 0) + random.nextInt(MIN_PADDING, MAX_PADDING + 1);
        int joint = rows == 0 ? 0 : 2;
        int lineBytes = suffixDigits + PADDING_END.length;
        byte[] digits = new byte[(padding * suffixDigits + 1) / 2];
        random.nextBytes(digits);
        byte[] padded = Arrays.copyOf(range, range.length + joint + padding * lineBytes - 2);
        int at = range.length;
        if (joint > 0) {
            padded[at++] = '\r';
            padded[at++] = '\n';
        }
        for (int digit = 0; digit < padding * suffixDigits; digit++) {
            padded[at++] = HEX[(digits[digit / 2] >> (4 * (digit & 1))) & 0xf];
            if (digit % suffixDigits == suffixDigits - 1) {
                int end = Math.min(PADDING_END.length, padded.length - at);
                System.arraycopy(PADDING_END, 0, padded, at, end);
                at += end;
            }
        }
        return padded;
    }

    private void appendLine(DigestRows rows, int row) {
        int split = DigestPrefix.DIGITS / 2;
        text[length++] = HEX[rows.byteAt(row, split) & 0xf];
        for (int position = split + 1; position < rows.digestBytes(); position++) {
            int b = rows.byteAt(row, position);
            text[length++] = HEX[b >> 4];
            text[length++] = HEX[b & 0xf];
        }
        appendCount(Math.max(Strength.ONCE, rows.count(row)));
    }

    private void appendCount(long count) {
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
            byte swapped = text[left];
            text[left] = text[right];
            text[right] = swapped;
        }
    }

    private byte[] toBytes() {
        return Arrays.copyOf(text, Math.max(0, length - 2));
    }
}
