package org.bloomgate.content.mime;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Tells UTF-16 without a byte order mark by its zeros: every character of a link has one. What is declared does not
/// count: `charset=utf-16` over ASCII made filters read nothing where clients showed a link. A guess it stays: zeros
/// may be strewn over ASCII, too, where clients drop them.
final class WideText {
    private static final int LOOKED_AT_BYTES = 256;

    private WideText() {}

    /// The byte order of the bytes; empty when they are no UTF-16.
    static Optional<Charset> charset(byte[] bytes, int length) {
        int pairs = Math.min(length, LOOKED_AT_BYTES) / 2;
        int first = 0;
        int second = 0;
        for (int i = 0; i < 2 * pairs; i += 2) {
            first += bytes[i] == 0 ? 1 : 0;
            second += bytes[i + 1] == 0 ? 1 : 0;
        }
        return first * 2 > pairs || second * 2 > pairs ? order(first, second) : Optional.empty();
    }

    /// The same where UTF-16 is declared, so that a few zeros anywhere are enough.
    static Optional<Charset> declared(byte[] bytes, int length) {
        int first = 0;
        int second = 0;
        for (int i = 0; i + 1 < length; i += 2) {
            first += bytes[i] == 0 ? 1 : 0;
            second += bytes[i + 1] == 0 ? 1 : 0;
        }
        return order(first, second);
    }

    /// True for bytes that are the same text without their zeros: each pair is a character of ASCII. Of any other
    /// pair one byte may end a link, or begin it, to who leaves zeros out.
    static boolean isPlain(byte[] bytes, int length, Charset order) {
        int high = order.equals(StandardCharsets.UTF_16BE) ? 0 : 1;
        for (int i = 0; i + 1 < length; i += 2) {
            if (bytes[i + high] != 0 || bytes[i + 1 - high] <= 0) {
                return false;
            }
        }
        return length % 2 == 0;
    }

    /// The text as shown by a program that takes the bytes for ASCII.
    static byte[] withoutZeros(byte[] bytes, int length) {
        byte[] narrow = new byte[length];
        int written = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] != 0) {
                narrow[written++] = bytes[i];
            }
        }
        return Arrays.copyOf(narrow, written);
    }

    private static Optional<Charset> order(int first, int second) {
        if (first == second) {
            return Optional.empty();
        }
        return Optional.of(first > second ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE);
    }
}
