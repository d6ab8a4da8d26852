package org.bloomgate.decision.authentication;

import java.util.Arrays;

/// The canonicalization of a header or a body (RFC 6376 3.4).
enum DkimCanonicalization {
    SIMPLE,
    RELAXED;

    /// A header field without its final CRLF, which both canonicalizations keep.
    ///
    /// @param field with name and colon, folded only at CRLF
    byte[] field(byte[] field) {
        return this == SIMPLE ? field : relaxedField(field);
    }

    private static byte[] relaxedField(byte[] field) {
        byte[] relaxed = new byte[field.length];
        int length = 0;
        int value = -1;
        boolean blank = false;
        for (byte b : field) {
            if (b == ' ' || b == '\t') {
                blank = true;
            } else if (value < 0) {
                relaxed[length++] = b >= 'A' && b <= 'Z' ? (byte) (b + 'a' - 'A') : b;
                value = b == ':' ? length : -1;
                blank = false;
            } else if (b != '\r' && b != '\n') {
                if (blank && length > value) {
                    relaxed[length++] = ' ';
                }
                relaxed[length++] = b;
                blank = false;
            }
        }
        return Arrays.copyOf(relaxed, length);
    }
}
