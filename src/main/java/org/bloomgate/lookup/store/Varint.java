package org.bloomgate.lookup.store;

import java.nio.ByteBuffer;

/// Unsigned numbers below 2^63 in groups of seven bits, least significant first (LEB128); the shortest form only, so
/// that one number has one encoding.
final class Varint {
    /// The bytes of the greatest number.
    static final int MAX_BYTES = 9;

    private Varint() {}

    static void write(ByteBuffer out, long number) {
        long rest = number;
        while (rest > 0x7f) {
            out.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }

    static long read(ByteBuffer in, String what) throws MalformedStoreException {
        long number = 0;
        for (int i = 0; i < MAX_BYTES; i++) {
            if (!in.hasRemaining()) {
                throw new MalformedStoreException(what + ": cut off");
            }
            byte b = in.get();
            number |= (long) (b & 0x7f) << (7 * i);
            if (b >= 0) {
                if (b == 0 && i > 0) {
                    throw new MalformedStoreException(what + ": not in shortest form");
                }
                return number;
            }
        }
        throw new MalformedStoreException(what + ": above 2^63");
    }
}
