package org.bloomgate.lists.export;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/// A domain name with its labels in reverse order and a zero byte between them, so that a name sorts directly before
/// the names below it.
final class ReversedName {
    private ReversedName() {}

    static byte[] of(String name) {
        byte[] reversed = new byte[name.length()];
        int at = 0;
        int end = name.length();
        while (end > 0) {
            int start = name.lastIndexOf('.', end - 1) + 1;
            for (int i = start; i < end; i++) {
                reversed[at++] = (byte) name.charAt(i);
            }
            if (start > 0) {
                at++;
            }
            end = start - 1;
        }
        return reversed;
    }

    static String text(byte[] reversed) {
        StringBuilder name = new StringBuilder(reversed.length);
        int end = reversed.length;
        for (int i = reversed.length - 1; i >= -1; i--) {
            if (i < 0 || reversed[i] == 0) {
                name.append(name.isEmpty() ? "" : ".").append(new String(reversed, i + 1, end - i - 1, US_ASCII));
                end = i;
            }
        }
        return name.toString();
    }

    static int labels(byte[] reversed) {
        int labels = 1;
        for (byte character : reversed) {
            labels += character == 0 ? 1 : 0;
        }
        return labels;
    }

    /// The name above with this many labels.
    static byte[] above(byte[] reversed, int labels) {
        int left = labels;
        int end = 0;
        while (end < reversed.length) {
            if (reversed[end] == 0 && --left == 0) {
                break;
            }
            end++;
        }
        return Arrays.copyOf(reversed, end);
    }

    static boolean isBelow(byte[] reversed, byte[] above) {
        return reversed.length > above.length
                && reversed[above.length] == 0
                && Arrays.equals(reversed, 0, above.length, above, 0, above.length);
    }
}
