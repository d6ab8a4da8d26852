package org.bloomgate.core.delta;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Strictly ascending unsigned 64-bit numbers in bytes: the first one, then the differences as Golomb-Rice codes,
/// which consist of a quotient in ones, ended by a zero, and `k` bits of remainder. As in Safe Browsing, bits are
/// read from the least significant end of each byte, and a remainder begins with its least significant bit.
///
/// Bytes: the count of numbers, 8; if it is not 0, the first number, 8, the parameter `k`, 1, the length of the
/// codes, 8, and the codes. Numbers outside of codes are big endian.
///
/// @param count of numbers
/// @param codes of the differences
record RiceList(long count, long first, int k, MemorySegment codes) {
    static final RiceList NONE = new RiceList(0, 0, 0, MemorySegment.ofArray(new byte[0]));

    static final int MAX_PARAMETER = 62;

    /// The greatest mean of the quotients with the parameter that [#chooseParameter] returns. A greater one is an
    /// endless run of ones.
    private static final int MAX_QUOTIENTS_EACH = 4;

    private static final int HEADER_BYTES = 2 * Long.BYTES + 1 + Long.BYTES;
    private static final int FIRST_AT = Long.BYTES;
    private static final int PARAMETER_AT = FIRST_AT + Long.BYTES;
    private static final int LENGTH_AT = PARAMETER_AT + 1;

    private static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Reads a list. Its numbers are checked while they are walked.
    ///
    /// @param at where the list begins
    /// @param most the greatest count of numbers
    static RiceList read(MemorySegment from, long at, long most) throws DeltaRefusedException {
        require(from, at, Long.BYTES);
        long count = from.get(NUMBER, at);
        if (count == 0) {
            return NONE;
        }
        if (count < 0 || count > most) {
            throw new DeltaRefusedException(count + " numbers where at most " + most + " can be");
        }
        require(from, at, HEADER_BYTES);
        int k = from.get(ValueLayout.JAVA_BYTE, at + PARAMETER_AT);
        long length = from.get(NUMBER, at + LENGTH_AT);
        if (k < 0 || k > MAX_PARAMETER || length < 0 || length > from.byteSize() - at - HEADER_BYTES) {
            throw new DeltaRefusedException("Rice parameter " + k + " and " + length + " bytes of codes");
        }
        if ((count - 1) / Byte.SIZE > length / (k + 1L)) {
            throw new DeltaRefusedException(count + " numbers in " + length + " bytes of codes");
        }
        return new RiceList(count, from.get(NUMBER, at + FIRST_AT), k, from.asSlice(at + HEADER_BYTES, length));
    }

    private static void require(MemorySegment from, long at, int count) throws DeltaRefusedException {
        if (from.byteSize() - at < count) {
            throw new DeltaRefusedException("ends too early");
        }
    }

    /// The number of bytes of the whole list.
    long bytes() {
        return count == 0 ? Long.BYTES : HEADER_BYTES + codes.byteSize();
    }

    /// The exponent of the least power of two not below 31/64 of the mean difference, which gives the shortest
    /// codes for geometrically distributed differences, as those of hashes are.
    ///
    /// @param range the numbers are below it, unsigned
    private static int chooseParameter(long range, long count) {
        long mean = Long.divideUnsigned(range, Math.max(1, count));
        long least = (mean >>> 1) - (mean >>> 6);
        return least <= 1 ? 0 : Math.min(Long.SIZE - Long.numberOfLeadingZeros(least - 1), MAX_PARAMETER);
    }

    /// The most bytes of a list.
    static long maxBytes(long range, long count) {
        return HEADER_BYTES
                + Long.BYTES
                + (chooseParameter(range, count) + 1L + MAX_QUOTIENTS_EACH) * ((count + Byte.SIZE - 1) / Byte.SIZE);
    }

    NumberCursor open() {
        return new NumberCursor() {
            private final CodeReader differences = new CodeReader(codes, MAX_QUOTIENTS_EACH * count);
            private long walked;
            private long number;

            @Override
            public boolean next() throws DeltaRefusedException {
                if (walked == count) {
                    return false;
                }
                if (walked++ == 0) {
                    number = first;
                    return true;
                }
                long before = number;
                number += differences.read(k);
                if (Long.compareUnsigned(number, before) <= 0) {
                    throw new DeltaRefusedException("numbers that do not ascend");
                }
                return true;
            }

            @Override
            public long number() {
                return number;
            }
        };
    }

    /// Reads codes one after the other.
    static final class CodeReader {
        /// The bits of a word after those that another byte begins with.
        private static final int WHOLE_BITS = Long.SIZE - Byte.SIZE + 1;

        private final MemorySegment bytes;
        private final long end;
        private long quotients;
        private long at;

        /// @param quotients the greatest sum of all quotients
        CodeReader(MemorySegment bytes, long quotients) {
            this.bytes = bytes;
            this.end = bytes.byteSize() * Byte.SIZE;
            this.quotients = quotients;
        }

        /// Returns the next number.
        long read(int k) throws DeltaRefusedException {
            long word = word();
            int ones = Long.numberOfTrailingZeros(~word);
            if (ones + 1 + k > WHOLE_BITS) {
                return readLong(k);
            }
            quotients -= ones;
            skip(ones + 1 + k);
            return combine(ones, (word >>> (ones + 1)) & mask(k), k);
        }

        private long readLong(int k) throws DeltaRefusedException {
            long ones = 0;
            int run;
            int whole;
            do {
                whole = Long.SIZE - (int) (at & 7);
                run = Long.numberOfTrailingZeros(~word());
                ones += run;
                quotients -= run;
                skip(run);
            } while (run == whole);
            skip(1);
            int low = Math.min(k, Integer.SIZE);
            long remainder = word() & mask(low);
            skip(low);
            remainder |= (word() & mask(k - low)) << low;
            skip(k - low);
            return combine(ones, remainder, k);
        }

        private static long mask(int bits) {
            return (1L << bits) - 1;
        }

        private static long combine(long quotient, long remainder, int k) throws DeltaRefusedException {
            if (Long.compareUnsigned(quotient, -1L >>> k) > 0) {
                throw new DeltaRefusedException("numbers that do not ascend");
            }
            return (quotient << k) | remainder;
        }

        /// At least the next [#WHOLE_BITS] bits, with zeros after them and after the end.
        private long word() {
            long b = at >>> 3;
            int from = (int) (at & 7);
            if (b + Long.BYTES <= bytes.byteSize()) {
                return bytes.get(WORD, b) >>> from;
            }
            long word = 0;
            for (long i = bytes.byteSize() - 1; i >= b; i--) {
                word = word << Byte.SIZE | Byte.toUnsignedLong(bytes.get(ValueLayout.JAVA_BYTE, i));
            }
            return word >>> from;
        }

        private void skip(int count) throws DeltaRefusedException {
            at += count;
            if (at > end || quotients < 0) {
                throw new DeltaRefusedException(quotients < 0 ? "an endless run of ones" : "codes end too early");
            }
        }
    }

    /// Writes a list of a known count.
    static final class Writer {
        private final MemorySegment out;
        private final long begin;
        private final long count;
        private final int k;
        private long at;
        private long previous;
        private long writtenCount;
        private long word;
        private int used;

        /// @param begin where the list begins
        /// @param range the numbers are below it, unsigned
        Writer(MemorySegment out, long begin, long range, long count) {
            this.out = out;
            this.begin = begin;
            this.count = count;
            this.k = chooseParameter(range, count);
            this.at = begin + HEADER_BYTES;
        }

        void add(long number) {
            if (writtenCount++ == 0) {
                out.set(NUMBER, begin + FIRST_AT, number);
            } else {
                put(number - previous);
            }
            previous = number;
        }

        private void put(long difference) {
            long ones = difference >>> k;
            for (; ones >= Integer.SIZE; ones -= Integer.SIZE) {
                write(-1L >>> Integer.SIZE, Integer.SIZE);
            }
            write((1L << ones) - 1, (int) ones + 1);
            int low = Math.min(k, Integer.SIZE);
            write(difference & ((1L << low) - 1), low);
            write(difference >>> low & ((1L << (k - low)) - 1), k - low);
        }

        /// @param bits at most 33
        private void write(long value, int bits) {
            word |= value << used;
            used += bits;
            if (used >= Long.SIZE) {
                out.set(WORD, at, word);
                at += Long.BYTES;
                used -= Long.SIZE;
                word = value >>> (bits - used);
            }
        }

        /// Returns where the list ends.
        long finish() {
            if (writtenCount != count) {
                throw new IllegalStateException(writtenCount + " numbers were written of " + count);
            }
            out.set(NUMBER, begin, count);
            if (count == 0) {
                return begin + Long.BYTES;
            }
            for (; used > 0; used -= Byte.SIZE) {
                out.set(ValueLayout.JAVA_BYTE, at++, (byte) word);
                word >>>= Byte.SIZE;
            }
            out.set(ValueLayout.JAVA_BYTE, begin + PARAMETER_AT, (byte) k);
            out.set(NUMBER, begin + LENGTH_AT, at - begin - HEADER_BYTES);
            return at;
        }
    }
}
