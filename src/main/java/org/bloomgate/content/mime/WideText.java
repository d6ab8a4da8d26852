package org.bloomgate.content.mime;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Recognizes UTF-16 without a byte order mark by its zeros: every character of a link has one. The declared
/// charset is not enough: with `charset=utf-16` over ASCII, filters read nothing where clients showed a link.
/// It remains a guess, because zeros may also be inserted into ASCII, where some clients ignore them.
final class WideText {
    private static final int EXAMINED_BYTES = 256;

    private WideText() {}

    /// Returns the byte order of the bytes; empty if they are not UTF-16.
    static Optional<Charset> detect(byte[] bytes, int length) {
        int pairs = Math.min(length, EXAMINED_BYTES) / 2;
        int evenZeros = 0;
        int oddZeros = 0;
        for (int i = 0; i < 2 * pairs; i += 2) {
            evenZeros += bytes[i] == 0 ? 1 : 0;
            oddZeros += bytes[i + 1] == 0 ? 1 : 0;
        }
        return evenZeros * 2 > pairs || oddZeros * 2 > pairs ? chooseOrder(evenZeros, oddZeros) : Optional.empty();
    }

    /// Returns the byte order of bytes that are declared as UTF-16, for which a few zeros anywhere are enough.
    static Optional<Charset> detectDeclared(byte[] bytes, int length) {
        int evenZeros = 0;
        int oddZeros = 0;
        for (int i = 0; i + 1 < length; i += 2) {
            evenZeros += bytes[i] == 0 ? 1 : 0;
            oddZeros += bytes[i + 1] == 0 ? 1 : 0;
        }
        return chooseOrder(evenZeros, oddZeros);
    }

    /// Whether the bytes are the same text without their zeros, because each pair is an ASCII character. For a
    /// program that ignores zeros, a byte of any other pair could end or begin a link.
    static boolean isPlain(byte[] bytes, int length, Charset order) {
        int high = order.equals(StandardCharsets.UTF_16BE) ? 0 : 1;
        for (int i = 0; i + 1 < length; i += 2) {
            if (bytes[i + high] != 0 || bytes[i + 1 - high] <= 0) {
                return false;
            }
        }
        return length % 2 == 0;
    }

    /// Returns the bytes without zeros, as a program that reads them as ASCII shows them.
    static byte[] withoutZeros(byte[] bytes, int length) {
        byte[] narrow = new byte[length];
        int size = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] != 0) {
                narrow[size++] = bytes[i];
            }
        }
        return Arrays.copyOf(narrow, size);
    }

    private static Optional<Charset> chooseOrder(int evenZeros, int oddZeros) {
        if (evenZeros == oddZeros) {
            return Optional.empty();
        }
        return Optional.of(evenZeros > oddZeros ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE);
    }
}
