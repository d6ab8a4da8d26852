package org.bloomgate.http;

import java.util.HexFormat;
import java.util.Optional;

/// The first five hex digits of a digest, which a range is asked for by.
///
/// @param value of the 20 bits
record DigestPrefix(int value) {
    static final int DIGITS = 5;

    private static final int LAST = (1 << (4 * DIGITS)) - 1;

    /// Empty when the text is anything but five hex digits, of either case.
    static Optional<DigestPrefix> parse(String text) {
        boolean digits = text.length() == DIGITS && text.chars().allMatch(HexFormat::isHexDigit);
        return digits ? Optional.of(new DigestPrefix(HexFormat.fromHexDigits(text))) : Optional.empty();
    }

    /// The first octets a digest of the range can have.
    byte[] from() {
        return octets(value);
    }

    /// The first octets a digest after the range can have; none when no digest comes after it.
    byte[] to() {
        return value == LAST ? new byte[0] : octets(value + 1);
    }

    private static byte[] octets(int prefix) {
        return new byte[] {(byte) (prefix >> 12), (byte) (prefix >> 4), (byte) (prefix << 4)};
    }
}
