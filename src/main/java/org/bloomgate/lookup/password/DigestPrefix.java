package org.bloomgate.lookup.password;

import java.util.HexFormat;
import java.util.Optional;

/// The first five hex digits of a digest, by which a range is requested.
///
/// @param value of the 20 bits
public record DigestPrefix(int value) {
    public static final int DIGITS = 5;

    private static final int LAST = (1 << (4 * DIGITS)) - 1;

    /// Empty when the text is anything but five hex digits, of either case.
    public static Optional<DigestPrefix> parse(String text) {
        if (text.length() != DIGITS) {
            return Optional.empty();
        }
        for (int i = 0; i < DIGITS; i++) {
            if (!HexFormat.isHexDigit(text.charAt(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(new DigestPrefix(HexFormat.fromHexDigits(text)));
    }

    /// The first bytes that a digest of the range can have.
    byte[] firstBytes() {
        return toBytes(value);
    }

    /// The first bytes that a digest after the range can have; empty if no digest comes after it.
    byte[] endBytes() {
        return value == LAST ? new byte[0] : toBytes(value + 1);
    }

    /// Whether the digest is in the range.
    boolean matches(byte[] digest) {
        return ((digest[0] & 0xff) << 12 | (digest[1] & 0xff) << 4 | (digest[2] & 0xff) >> 4) == value;
    }

    private static byte[] toBytes(int prefix) {
        return new byte[] {(byte) (prefix >> 12), (byte) (prefix >> 4), (byte) (prefix << 4)};
    }
}
