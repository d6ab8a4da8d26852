package org.bloomgate.filter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A 3-wise binary fuse filter of 16-bit fingerprints (Graf, Lemire: "Binary Fuse Filters: Fast and Smaller Than Xor
/// Filters", 2022) in a part of a segment. A key leads to one place in each of three neighbouring pieces, and the
/// three fingerprints there make its own, by exclusive or.
///
/// @param at octets before its first place
/// @param seed of the words that keys lead to
/// @param pieceMask places of a piece, a power of two, less one
/// @param firstPlaces places that the first of the three may be
record FuseShard(long at, long seed, int pieceMask, int firstPlaces) {
    static final int KEYS = 1 << 20;

    private static final ValueLayout.OfShort PRINT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Peeling succeeds in more than nine of ten attempts.
    private static final int ATTEMPTS = 100;

    private static final int PLACES_IN_SEED = 12;

    static FuseShard of(long at, int number, int keys) {
        int piece = 1 << (int) (Math.log(keys) / Math.log(3.33) + 2.25);
        double places = Math.max(1.125, 0.875 + 0.25 * Math.log(1e6) / Math.log(keys)) * keys;
        int pieces = Math.max(1, (int) Math.ceil(places / piece) - 2);
        return new FuseShard(at, (long) number << PLACES_IN_SEED, piece - 1, pieces * piece);
    }

    int places() {
        return firstPlaces + 2 * (pieceMask + 1);
    }

    long endsAt() {
        return at + (long) places() * Short.BYTES;
    }

    /// 0 when the key may have been put.
    int difference(MemorySegment body, long keyHash) {
        long word = word(keyHash);
        return (short) (print(word)
                ^ body.get(PRINT, at + 2L * place(0, word))
                ^ body.get(PRINT, at + 2L * place(1, word))
                ^ body.get(PRINT, at + 2L * place(2, word)));
    }

    private long word(long keyHash) {
        long x = keyHash + seed * 0x9E3779B97F4A7C15L;
        x = (x ^ x >>> 33) * 0xFF51AFD7ED558CCDL;
        x = (x ^ x >>> 33) * 0xC4CEB9FE1A85EC53L;
        return x ^ x >>> 33;
    }

    private int place(int which, long word) {
        int first = (int) Math.unsignedMultiplyHigh(word, firstPlaces);
        return switch (which) {
            case 0 -> first;
            case 1 -> first + pieceMask + 1 ^ (int) (word >>> 18) & pieceMask;
            default -> first + 2 * (pieceMask + 1) ^ (int) word & pieceMask;
        };
    }

    private static int print(long word) {
        return (int) (word ^ word >>> 32);
    }

    /// Writes the fingerprints of keys, whose hashes are distinct.
    ///
    /// @return the shard with the seed that succeeded
    FuseShard put(MemorySegment body, long[] keyHashes, int from, int to) {
        FuseShard shard = this;
        for (int attempt = 1; !shard.peeled(body, keyHashes, from, to); attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IllegalStateException("equal hashes");
            }
            shard = new FuseShard(at, seed + attempt, pieceMask, firstPlaces);
        }
        return shard;
    }

    private boolean peeled(MemorySegment body, long[] keyHashes, int from, int to) {
        long[] order = words(keyHashes, from, to);
        // of each place: the words that lead to it, four times their number, and which of three it is to the last one
        long[] words = new long[places()];
        int[] counts = new int[places()];
        for (long word : order) {
            for (int which = 0; which < 3; which++) {
                int place = place(which, word);
                words[place] ^= word;
                counts[place] = counts[place] + 4 ^ which;
            }
        }
        int[] alone = new int[places()];
        int waiting = 0;
        for (int place = 0; place < counts.length; place++) {
            alone[waiting] = place;
            waiting += counts[place] >> 2 == 1 ? 1 : 0;
        }
        byte[] owned = new byte[order.length];
        int peeled = 0;
        while (waiting > 0) {
            int place = alone[--waiting];
            if (counts[place] >> 2 != 1) {
                continue;
            }
            long word = words[place];
            order[peeled] = word;
            owned[peeled++] = (byte) (counts[place] & 3);
            for (int which = 0; which < 3; which++) {
                int other = place(which, word);
                alone[waiting] = other;
                waiting += counts[other] >> 2 == 2 ? 1 : 0;
                words[other] ^= word;
                counts[other] = counts[other] - 4 ^ which;
            }
        }
        if (peeled == order.length) {
            write(body, order, owned);
        }
        return peeled == order.length;
    }

    /// Roughly in the order of their first places, so that words that go to one piece go there together.
    private long[] words(long[] keyHashes, int from, int to) {
        int shift = Long.SIZE - 12;
        int[] starts = new int[(1 << 12) + 1];
        for (int i = from; i < to; i++) {
            starts[(int) (word(keyHashes[i]) >>> shift) + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        long[] words = new long[to - from];
        for (int i = from; i < to; i++) {
            long word = word(keyHashes[i]);
            words[starts[(int) (word >>> shift)]++] = word;
        }
        return words;
    }

    /// Backwards: a key that was peeled late owns a place that those peeled before it read.
    private void write(MemorySegment body, long[] order, byte[] owned) {
        for (int i = order.length - 1; i >= 0; i--) {
            int print = print(order[i]);
            for (int which = 0; which < 3; which++) {
                if (which != owned[i]) {
                    print ^= body.get(PRINT, at + 2L * place(which, order[i]));
                }
            }
            body.set(PRINT, at + 2L * place(owned[i], order[i]), (short) print);
        }
    }
}
