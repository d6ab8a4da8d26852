package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The two-line layout: where the bits of a key are, for builder and reader alike.
///
/// From the 64-bit hash h of a key: line A by multiply-high of h, which scales without the bias of a modulo and
/// without a sign; a second word, by a 64x64-bit multiply folded to 64 bits, gives line B the same way. The
/// positions in a line are 9 bits each, seven from one fold of the line's word. All offsets are `long`: a filter
/// above 2 GiB uses all of its bits.
final class TwoLine {
    static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle ATOMIC =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private static final int POSITION_BITS = 9;
    private static final int POSITIONS_PER_FOLD = 7;

    // Odd and without pattern: the fractional digits of e, pi and the golden ratio.
    private static final long SECOND = 0xB7E151628AED2A6BL;
    private static final long PLACES = 0x243F6A8885A308D3L;
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private TwoLine() {}

    /// The word that determines line B and the positions in it; for line A it is the hash itself.
    static long second(long keyHash) {
        return fold(keyHash, SECOND);
    }

    /// The byte offset, from the first line, of the line for a word.
    static long line(long word, long lines) {
        return Math.unsignedMultiplyHigh(word, lines) << 6;
    }

    /// Returns 1 if a bit of the key is missing in the line at the offset, otherwise 0. The first seven bits
    /// are loaded together, without a branch for each: a mispredicted branch on a bit of the filter lasts as
    /// long as the line takes to load from memory, and prevents the overlap with the lines of other keys. Keys
    /// with more bits need one branch, which an absent key takes in 127 of 128 cases. A slice of the line would
    /// avoid bounds checks, but code that is not fully optimized would allocate it.
    static int missing(MemorySegment body, long offset, long word, int bits) {
        int first = anyMissing(body, offset, fold(word, PLACES), Math.min(bits, POSITIONS_PER_FOLD));
        return bits <= POSITIONS_PER_FOLD || first != 0 ? first : missingInRest(body, offset, word, bits);
    }

    private static int missingInRest(MemorySegment body, long offset, long word, int bits) {
        long next = word;
        int missing = 0;
        for (int left = bits - POSITIONS_PER_FOLD; left > 0; left -= POSITIONS_PER_FOLD) {
            next += STEP;
            missing |= anyMissing(body, offset, fold(next, PLACES), Math.min(left, POSITIONS_PER_FOLD));
        }
        return missing;
    }

    private static int anyMissing(MemorySegment body, long offset, long places, int positions) {
        long present = 1;
        for (int i = positions; i > 0; i--) {
            present &= body.get(WORD, offset + wordOf(places)) >>> places;
            places >>>= POSITION_BITS;
        }
        return (int) present ^ 1;
    }

    /// Sets the bits of the key in the line at the offset.
    static void set(MemorySegment body, long offset, long word, int bits) {
        for (int left = bits; left > 0; left -= POSITIONS_PER_FOLD) {
            long places = fold(word, PLACES);
            for (int i = Math.min(left, POSITIONS_PER_FOLD); i > 0; i--) {
                long at = offset + wordOf(places);
                body.set(WORD, at, body.get(WORD, at) | 1L << places);
                places >>>= POSITION_BITS;
            }
            word += STEP;
        }
    }

    /// Like [#set], while other threads may set bits of the same lines. The body must be aligned to 8 bytes.
    ///
    /// @return 1 if this call set a bit that was missing, otherwise 0
    static int setAtomically(MemorySegment body, long offset, long word, int bits) {
        long changed = 0;
        for (int left = bits; left > 0; left -= POSITIONS_PER_FOLD) {
            long places = fold(word, PLACES);
            for (int i = Math.min(left, POSITIONS_PER_FOLD); i > 0; i--) {
                long old = (long) ATOMIC.getAndBitwiseOr(body, offset + wordOf(places), 1L << places);
                changed |= ~old >>> places;
                places >>>= POSITION_BITS;
            }
            word += STEP;
        }
        return (int) changed & 1;
    }

    /// The byte offset in the line of the 64-bit word with the lowest position; the low 6 bits choose the bit.
    private static long wordOf(long places) {
        return places >>> 3 & 0x38;
    }

    private static long fold(long x, long constant) {
        return x * constant ^ Math.unsignedMultiplyHigh(x, constant);
    }
}
