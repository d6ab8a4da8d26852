package org.bloomgate.core.cidr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Reads the bytes of a block: its family, its first address, and the number of leading bits that its addresses
/// share.
final class Block {
    static final int IPV4 = 4;
    static final int IPV6 = 6;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int IPV4_BYTES = 6;
    private static final int IPV6_BYTES = 18;

    private Block() {}

    /// @throws IllegalArgumentException if the bytes are not a block
    static int family(byte[] bytes, int from, int to) {
        int length = to - from;
        boolean four = length == IPV4_BYTES && bytes[from] == IPV4;
        boolean six = length == IPV6_BYTES && bytes[from] == IPV6;
        if ((!four && !six) || bits(bytes, to) > (four ? Integer.SIZE : 2 * Long.SIZE)) {
            throw new IllegalArgumentException("not the bytes of a block: " + length);
        }
        return bytes[from];
    }

    static int bits(byte[] bytes, int to) {
        return bytes[to - 1] & 0xff;
    }

    /// The IPv4 address as an unsigned number.
    static long ipv4(byte[] bytes, int from) {
        return (int) INT.get(bytes, from + 1) & 0xffff_ffffL;
    }

    static long high(byte[] bytes, int from) {
        return (long) LONG.get(bytes, from + 1);
    }

    static long low(byte[] bytes, int from) {
        return (long) LONG.get(bytes, from + 1 + Long.BYTES);
    }

    /// A mask of the bits of an IPv4 address after the leading ones.
    static long rest(int bits) {
        return 0xffff_ffffL >>> bits;
    }

    /// The first half of a mask of the bits of an IPv6 address after the leading ones.
    static long restHigh(int bits) {
        return bits >= Long.SIZE ? 0 : -1L >>> bits;
    }

    /// The second half of a mask of the bits of an IPv6 address after the leading ones.
    static long restLow(int bits) {
        return bits <= Long.SIZE ? -1 : bits == 2 * Long.SIZE ? 0 : -1L >>> (bits - Long.SIZE);
    }

    /// Compares two unsigned numbers of 128 bits.
    static int compare(long high, long low, long otherHigh, long otherLow) {
        int byHigh = Long.compareUnsigned(high, otherHigh);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, otherLow);
    }
}
