package org.bloomgate.delta;

import java.nio.ByteBuffer;

/// Strictly ascending unsigned numbers of 64 bits: the first one, then the differences as Golomb-Rice codes, a
/// quotient in ones ended by a zero and `k` bits of remainder. Bits are taken from the least significant end of
/// each octet, those of a remainder least significant first, as Safe Browsing does.
///
/// Octets: how many numbers, 8; when there are some, the first, 8, the parameter `k`, 1, the length of what follows, 4,
/// and the codes. Numbers outside of codes have the big end first.
final class RiceList {
    static final int MAX_PARAMETER = 62;

    /// With the parameter that [#parameter] takes, quotients come to less than three a number. More is an endless run.
    private static final int MAX_QUOTIENTS_EACH = 4;

    private RiceList() {}

    /// @param values strictly ascending
    /// @param count of them that are meant
    static byte[] encode(long[] values, int count) {
        if (count == 0) {
            return ByteBuffer.allocate(Long.BYTES).array();
        }
        int k = parameter(values, count);
        // Quotients are rounded down: their sum is at most that of the whole range.
        long most = (k + 1L) * (count - 1) + ((values[count - 1] - values[0]) >>> k);
        Bits bits = new Bits(new byte[Math.toIntExact((most + 7) / 8)]);
        for (int i = 1; i < count; i++) {
            bits.put(values[i] - values[i - 1], k);
        }
        int length = (int) ((bits.at + 7) / 8);
        return ByteBuffer.allocate(Long.BYTES + Long.BYTES + 1 + Integer.BYTES + length)
                .putLong(count)
                .putLong(values[0])
                .put((byte) k)
                .putInt(length)
                .put(bits.octets, 0, length)
                .array();
    }

    /// The least power of two not below 31/64 of the mean difference: the shortest codes of differences that are
    /// geometrically distributed, as those of hashes are.
    private static int parameter(long[] values, int count) {
        if (count < 2) {
            return 0;
        }
        long mean = Long.divideUnsigned(values[count - 1] - values[0], count - 1L);
        long least = (mean >>> 1) - (mean >>> 6);
        return least <= 1 ? 0 : Math.min(64 - Long.numberOfLeadingZeros(least - 1), MAX_PARAMETER);
    }

    /// Reads a list from where the buffer stands, and leaves it behind it.
    ///
    /// @param most numbers that can be meant
    static long[] decode(ByteBuffer from, long most) throws DeltaRefusedException {
        long count = octets(from, Long.BYTES).getLong();
        if (count == 0) {
            return new long[0];
        }
        if (count < 0 || count > most) {
            throw new DeltaRefusedException(count + " numbers where at most " + most + " can be");
        }
        long first = octets(from, Long.BYTES).getLong();
        int k = octets(from, 1).get();
        int length = octets(from, Integer.BYTES).getInt();
        if (k < 0 || k > MAX_PARAMETER || length < 0 || length > from.remaining()) {
            throw new DeltaRefusedException("Rice parameter " + k + " and " + length + " octets of codes");
        }
        if ((count - 1) * (k + 1L) > length * 8L) {
            throw new DeltaRefusedException(count + " numbers in " + length + " octets of codes");
        }
        long[] values = new long[(int) count];
        values[0] = first;
        byte[] codes = new byte[length];
        from.get(codes);
        Bits bits = new Bits(codes);
        long quotients = MAX_QUOTIENTS_EACH * count;
        for (int i = 1; i < count; i++) {
            long quotient = bits.ones(quotients);
            quotients -= quotient;
            values[i] = values[i - 1] + ((quotient << k) | bits.take(k));
            boolean fits = Long.compareUnsigned(quotient, -1L >>> k) <= 0
                    && Long.compareUnsigned(values[i], values[i - 1]) > 0;
            if (!fits) {
                throw new DeltaRefusedException("numbers that do not ascend");
            }
        }
        return values;
    }

    private static ByteBuffer octets(ByteBuffer from, int count) throws DeltaRefusedException {
        if (from.remaining() < count) {
            throw new DeltaRefusedException("ends too early");
        }
        return from;
    }

    /// A row of bits.
    static final class Bits {
        private final byte[] octets;
        private long at;

        Bits(byte[] octets) {
            this.octets = octets;
        }

        private void put(long value, int k) {
            for (long ones = value >>> k; ones > 0; ) {
                int bits = (int) Math.min(ones, 8 - (at & 7));
                write((1L << bits) - 1, bits);
                ones -= bits;
            }
            at++;
            write(value & ((1L << k) - 1), k);
        }

        /// The lowest bits of a value that has no others.
        private void write(long value, int count) {
            long rest = value;
            for (int left = count; left > 0; ) {
                int from = (int) (at & 7);
                int bits = Math.min(8 - from, left);
                octets[(int) (at >>> 3)] |= (byte) (rest << from);
                rest >>>= bits;
                left -= bits;
                at += bits;
            }
        }

        /// @param most ones before a zero
        long ones(long most) throws DeltaRefusedException {
            long count = 0;
            while (bit() != 0) {
                if (++count > most) {
                    throw new DeltaRefusedException("an endless run of ones");
                }
            }
            return count;
        }

        long take(int count) throws DeltaRefusedException {
            if (at + count > octets.length * 8L) {
                throw new DeltaRefusedException("codes end too early");
            }
            long value = 0;
            for (int taken = 0; taken < count; ) {
                int from = (int) (at & 7);
                int bits = Math.min(8 - from, count - taken);
                long octet = (octets[(int) (at >>> 3)] & 0xffL) >>> from & ((1L << bits) - 1);
                value |= octet << taken;
                taken += bits;
                at += bits;
            }
            return value;
        }

        private long bit() throws DeltaRefusedException {
            if (at >>> 3 >= octets.length) {
                throw new DeltaRefusedException("codes end too early");
            }
            long bit = (octets[(int) (at >>> 3)] & 0xffL) >>> (at & 7) & 1;
            at++;
            return bit;
        }
    }
}
