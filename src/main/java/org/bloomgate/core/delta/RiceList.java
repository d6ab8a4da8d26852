package org.bloomgate.core.delta;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Encodes strictly ascending unsigned 64-bit numbers: the first one, then the differences as Golomb-Rice
/// codes, which consist of a quotient in ones, ended by a zero, and `k` bits of remainder. As in Safe Browsing,
/// bits are read from the least significant end of each byte, and a remainder begins with its least significant
/// bit.
///
/// Bytes: the count of numbers, 8; if it is not 0, the first number, 8, the parameter `k`, 1, the length of the
/// codes, 4, and the codes. Numbers outside of codes are big endian.
final class RiceList {
    static final int MAX_PARAMETER = 62;

    /// With the parameter that [#parameter] chooses, the quotients are less than three a number. More are an
    /// endless run.
    private static final int MAX_QUOTIENTS_EACH = 4;

    private RiceList() {}

    /// @param values strictly ascending
    /// @param count number of values that are encoded
    static byte[] encode(long[] values, int count) {
        if (count == 0) {
            return ByteBuffer.allocate(Long.BYTES).array();
        }
        int k = parameter(values, count);
        // Quotients are rounded down: their sum is at most that of the whole range.
        long most = (k + 1L) * (count - 1) + ((values[count - 1] - values[0]) >>> k);
        Bits bits = new Bits(Math.toIntExact((most + 7) / 8));
        for (int i = 1; i < count; i++) {
            bits.put(values[i] - values[i - 1], k);
        }
        int length = (int) ((bits.at + 7) / 8);
        return ByteBuffer.allocate(Long.BYTES + Long.BYTES + 1 + Integer.BYTES + length)
                .putLong(count)
                .putLong(values[0])
                .put((byte) k)
                .putInt(length)
                .put(bits.bytes, 0, length)
                .array();
    }

    /// The exponent of the least power of two not below 31/64 of the mean difference, which gives the shortest
    /// codes for geometrically distributed differences, as those of hashes are.
    private static int parameter(long[] values, int count) {
        if (count < 2) {
            return 0;
        }
        long mean = Long.divideUnsigned(values[count - 1] - values[0], count - 1L);
        long least = (mean >>> 1) - (mean >>> 6);
        return least <= 1 ? 0 : Math.min(64 - Long.numberOfLeadingZeros(least - 1), MAX_PARAMETER);
    }

    /// Reads a list at the buffer's position, which is after the list then.
    ///
    /// @param most the greatest count of numbers
    static long[] decode(ByteBuffer from, long most) throws DeltaRefusedException {
        long count = bytes(from, Long.BYTES).getLong();
        if (count == 0) {
            return new long[0];
        }
        if (count < 0 || count > most) {
            throw new DeltaRefusedException(count + " numbers where at most " + most + " can be");
        }
        long first = bytes(from, Long.BYTES).getLong();
        int k = bytes(from, 1).get();
        int length = bytes(from, Integer.BYTES).getInt();
        if (k < 0 || k > MAX_PARAMETER || length < 0 || length > from.remaining()) {
            throw new DeltaRefusedException("Rice parameter " + k + " and " + length + " bytes of codes");
        }
        if ((count - 1) * (k + 1L) > length * 8L) {
            throw new DeltaRefusedException(count + " numbers in " + length + " bytes of codes");
        }
        long[] values = new long[(int) count];
        values[0] = first;
        Bits bits = Bits.of(from, length);
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

    private static ByteBuffer bytes(ByteBuffer from, int count) throws DeltaRefusedException {
        if (from.remaining() < count) {
            throw new DeltaRefusedException("ends too early");
        }
        return from;
    }

    /// A sequence of bits, of which up to 64 are read or written at once.
    static final class Bits {
        private static final VarHandle WORD =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

        /// Bytes after the used ones, so that a word can be read at each of them.
        private static final int MARGIN = Long.BYTES + 1;

        private final byte[] bytes;
        private final long end;
        private long at;

        /// @param room number of bytes to write or read
        private Bits(int room) {
            bytes = new byte[room + MARGIN];
            end = room * 8L;
        }

        static Bits of(ByteBuffer from, int length) {
            Bits bits = new Bits(length);
            from.get(bits.bytes, 0, length);
            return bits;
        }

        private void put(long value, int k) {
            for (long ones = value >>> k; ones > 0; ) {
                int bits = (int) Math.min(ones, MAX_PARAMETER);
                write((1L << bits) - 1, bits);
                ones -= bits;
            }
            at++;
            write(value & ((1L << k) - 1), k);
        }

        /// Writes the lowest bits of a value without further bits.
        private void write(long value, int count) {
            int b = (int) (at >>> 3);
            int from = (int) (at & 7);
            WORD.set(bytes, b, (long) WORD.get(bytes, b) | value << from);
            if (from + count > Long.SIZE) {
                bytes[b + Long.BYTES] = (byte) (value >>> (Long.SIZE - from));
            }
            at += count;
        }

        /// The next 64 bits, with zeros after the end.
        private long word() {
            int b = (int) (at >>> 3);
            int from = (int) (at & 7);
            long low = (long) WORD.get(bytes, b) >>> from;
            return from == 0 ? low : low | (long) bytes[b + Long.BYTES] << (Long.SIZE - from);
        }

        /// The number of ones before a zero.
        ///
        /// @param most the greatest number allowed
        long ones(long most) throws DeltaRefusedException {
            long count = 0;
            int run;
            do {
                run = Long.numberOfTrailingZeros(~word());
                count += run;
                if (count > most) {
                    throw new DeltaRefusedException("an endless run of ones");
                }
                skip(run);
            } while (run == Long.SIZE);
            skip(1);
            return count;
        }

        long take(int count) throws DeltaRefusedException {
            long value = word() & ((1L << count) - 1);
            skip(count);
            return value;
        }

        private void skip(int count) throws DeltaRefusedException {
            at += count;
            if (at > end) {
                throw new DeltaRefusedException("codes end too early");
            }
        }
    }
}
