package org.bloomgate.lists.sort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinTask;

/// Records packed into bytes, and sorted by moving their positions: a record costs no object.
///
/// A record is a key (kind code and bytes), the source it comes from and a count. The order is that of the
/// key's unsigned bytes, then of the source. Sorting compares eight bytes at a time, which stand beside the
/// positions, in a radix sort that descends into the next eight where they are equal: its time follows from the
/// bytes of the keys, however a feed is made. Not thread-safe.
public final class SortBuffer {
    /// Longest key with its kind code.
    public static final int MAX_KEY_BYTES = 16 << 10;

    /// Highest source number.
    public static final int MAX_SOURCE = 0xffff;

    private static final int HEADER_BYTES = 2 + 2 + 8;
    private static final int INDEX_BYTES = Long.BYTES + Integer.BYTES;
    private static final int FEW = 16;

    /// The bits that one pass of the sort examines, below the equal ones.
    private static final int DIGIT_BITS = 8;

    private static final int DIGITS = 1 << DIGIT_BITS;

    /// Records that are worth a thread.
    private static final int MANY = 1 << 14;

    private static final int WORD = Long.BYTES;

    private final int segmentShift;
    private final byte[][] segments;
    private final int maxRecords;
    private long[] words = new long[1024];
    private int[] positions = new int[1024];
    private int size;
    private int segment;
    private int used;

    /// @param memoryBytes heap to stay in, from 96 KiB to 1 GiB; two thirds of it for records
    SortBuffer(long memoryBytes) {
        long arena = memoryBytes / 3 * 2;
        int shift = 15;
        while (shift < 22 && arena >> (shift + 1) >= 16) {
            shift++;
        }
        segmentShift = shift;
        segments = new byte[(int) Math.max(1, arena >> shift)][];
        maxRecords = (int) Math.max(words.length, memoryBytes / 3 / INDEX_BYTES);
    }

    /// Adds a record; false, with nothing changed, if there is no space left.
    boolean add(int kindCode, byte[] bytes, int from, int to, int source, long count) {
        int keyLength = to - from + 1;
        if (keyLength > MAX_KEY_BYTES || source > MAX_SOURCE) {
            throw new IllegalArgumentException("a key of " + keyLength + " bytes from source " + source);
        }
        int needed = HEADER_BYTES + keyLength;
        if (size == maxRecords || !room(needed)) {
            return false;
        }
        byte[] into = segments[segment];
        int at = used;
        putShort(into, at, keyLength);
        putShort(into, at + 2, source);
        for (int i = 0; i < WORD; i++) {
            into[at + 4 + i] = (byte) (count >>> (8 * i));
        }
        into[at + HEADER_BYTES] = (byte) kindCode;
        System.arraycopy(bytes, from, into, at + HEADER_BYTES + 1, keyLength - 1);
        if (size == positions.length) {
            int larger = (int) Math.min(maxRecords, size * 2L);
            positions = Arrays.copyOf(positions, larger);
            words = Arrays.copyOf(words, larger);
        }
        positions[size++] = (segment << segmentShift) + at;
        used += needed;
        return true;
    }

    private boolean room(int needed) {
        if (used + needed > 1 << segmentShift) {
            if (segment + 1 == segments.length) {
                return false;
            }
            segment++;
            used = 0;
        }
        if (segments[segment] == null) {
            segments[segment] = new byte[1 << segmentShift];
        }
        return true;
    }

    int size() {
        return size;
    }

    /// Forgets all records; keeps the memory.
    void clear() {
        size = 0;
        segment = 0;
        used = 0;
    }

    /// On all processors, where there is much to sort.
    void sort() {
        loadWords(0, size, 0);
        sortWhole(0, size, 0);
    }

    /// Reads the length of each record in a range, wherever it is in memory: the cache misses of a loop that
    /// does nothing else overlap, and later accesses to the records are fast.
    void touch(int from, int to) {
        int shortest = MAX_KEY_BYTES;
        for (int i = from; i < to; i++) {
            shortest = Math.min(shortest, keyLength(positions[i]));
        }
        if (shortest == 0) {
            throw new IllegalStateException("a record without the kind of its key");
        }
    }

    /// The segment that holds the record's key, from [#keyFrom] to [#keyTo].
    byte[] keyBytes(int record) {
        return segments[positions[record] >>> segmentShift];
    }

    int keyFrom(int record) {
        return offset(positions[record]) + HEADER_BYTES;
    }

    int keyTo(int record) {
        return keyFrom(record) + keyLength(positions[record]);
    }

    int source(int record) {
        return source0(positions[record]);
    }

    long count(int record) {
        byte[] bytes = keyBytes(record);
        int at = offset(positions[record]) + 4;
        long count = 0;
        for (int i = 0; i < WORD; i++) {
            count |= (bytes[at + i] & 0xffL) << (8 * i);
        }
        return count;
    }

    private int offset(int position) {
        return position & ((1 << segmentShift) - 1);
    }

    private int keyLength(int position) {
        return getShort(segments[position >>> segmentShift], offset(position));
    }

    private int source0(int position) {
        return getShort(segments[position >>> segmentShift], offset(position) + 2);
    }

    /// Also sorts the parts that were forked, and waits for the last one first: it is the least likely to have
    /// been taken by another thread. Parameters as below.
    private void sortWhole(int from, int to, int depth) {
        List<ForkJoinTask<?>> beside = new ArrayList<>();
        sort(from, to, depth, beside);
        beside.reversed().forEach(ForkJoinTask::join);
    }

    /// Beside the rest where it is much, else at once.
    private void sortPart(int from, int to, int depth, List<ForkJoinTask<?>> beside) {
        if (to - from < MANY) {
            sort(from, to, depth, beside);
        } else {
            beside.add(ForkJoinTask.adapt(() -> sortWhole(from, to, depth)).fork());
        }
    }

    /// Goes on with the largest of the parts, so that calls nest as deep as the logarithm of the number of records,
    /// however long their keys are alike.
    ///
    /// @param depth bytes of the key that are known to be equal within the range; -1 when all are, and the
    ///     words are those of [#loadTails]
    /// @param beside receives the parts that were forked
    private void sort(int from, int to, int depth, List<ForkJoinTask<?>> beside) {
        int low = from;
        int high = to;
        int at = depth;
        while (high - low > FEW) {
            long differing = differing(low, high);
            if (differing != 0) {
                int[] ends =
                        part(low, high, Math.max(0, Long.SIZE - DIGIT_BITS - Long.numberOfLeadingZeros(differing)));
                int largest = largest(low, ends);
                int start = low;
                for (int digit = 0; digit < ends.length; digit++) {
                    int end = ends[digit];
                    if (digit == largest) {
                        low = start;
                        high = end;
                    } else if (end - start > 1) {
                        sortPart(start, end, at, beside);
                    }
                    start = end;
                }
            } else if (at < 0) {
                return;
            } else {
                at = deeper(low, high, at);
            }
        }
        insertionSort(low, high, at);
    }

    /// The bits in which any word differs from the first.
    private long differing(int low, int high) {
        long first = words[low];
        long bits = 0;
        for (int i = low + 1; i < high; i++) {
            bits |= words[i] ^ first;
        }
        return bits;
    }

    private static int digit(long word, int shift) {
        return (int) (word >>> shift) & DIGITS - 1;
    }

    /// Brings words into the order of one digit, in place (McIlroy, Bostic, McIlroy: "Engineering Radix Sort", 1993).
    ///
    /// @param shift number of bits below the digit; all above it are equal
    /// @return where those of each digit end
    private int[] part(int low, int high, int shift) {
        int[] ends = new int[DIGITS];
        for (int i = low; i < high; i++) {
            ends[digit(words[i], shift)]++;
        }
        int[] next = new int[DIGITS];
        int end = low;
        for (int digit = 0; digit < DIGITS; digit++) {
            next[digit] = end;
            end += ends[digit];
            ends[digit] = end;
        }
        for (int digit = 0; digit < DIGITS; digit++) {
            for (int i = next[digit]; i < ends[digit]; i++) {
                bring(i, digit, shift, next);
            }
        }
        return ends;
    }

    /// Brings the record there to those of its digit, the one that was in its place likewise, and so on until one is
    /// of the digit that is wanted here.
    private void bring(int here, int wanted, int shift, int[] next) {
        long word = words[here];
        int position = positions[here];
        int digit = digit(word, shift);
        while (digit != wanted) {
            int there = next[digit]++;
            long movedWord = words[there];
            int movedPosition = positions[there];
            words[there] = word;
            positions[there] = position;
            word = movedWord;
            position = movedPosition;
            digit = digit(word, shift);
        }
        words[here] = word;
        positions[here] = position;
        next[wanted] = here + 1;
    }

    /// The digit that most words have.
    private static int largest(int low, int[] ends) {
        int largest = 0;
        int most = 0;
        int start = low;
        for (int digit = 0; digit < ends.length; digit++) {
            if (ends[digit] - start > most) {
                most = ends[digit] - start;
                largest = digit;
            }
            start = ends[digit];
        }
        return largest;
    }

    /// Loads the words behind those that are equal.
    ///
    /// @return what is known to be equal then
    private int deeper(int from, int to, int depth) {
        int next = depth + WORD;
        int longest = 0;
        for (int i = from; i < to; i++) {
            longest = Math.max(longest, keyLength(positions[i]));
        }
        if (next < longest) {
            loadWords(from, to, next);
            return next;
        }
        loadTails(from, to);
        return -1;
    }

    private void loadWords(int from, int to, int depth) {
        for (int i = from; i < to; i++) {
            words[i] = word(positions[i], depth);
        }
    }

    /// Eight bytes of the key as an unsigned number, zero beyond its end.
    private long word(int position, int depth) {
        byte[] bytes = segments[position >>> segmentShift];
        int at = offset(position) + HEADER_BYTES + depth;
        int there = Math.min(WORD, keyLength(position) - depth);
        long word = 0;
        for (int i = 0; i < there; i++) {
            word |= (bytes[at + i] & 0xffL) << (56 - 8 * i);
        }
        return word;
    }

    /// Keys that are equal but for zero bytes at their end: the shorter comes first, then the lower source.
    private void loadTails(int from, int to) {
        for (int i = from; i < to; i++) {
            words[i] = (long) keyLength(positions[i]) << 16 | source0(positions[i]);
        }
    }

    private void insertionSort(int from, int to, int depth) {
        for (int i = from + 1; i < to; i++) {
            for (int k = i; k > from && isAfter(k - 1, k, depth); k--) {
                swap(k - 1, k);
            }
        }
    }

    private boolean isAfter(int one, int other, int depth) {
        if (words[one] != words[other] || depth < 0) {
            return Long.compareUnsigned(words[one], words[other]) > 0;
        }
        int byKey = Arrays.compareUnsigned(
                keyBytes(one), keyFrom(one), keyTo(one), keyBytes(other), keyFrom(other), keyTo(other));
        return byKey > 0 || (byKey == 0 && source(one) > source(other));
    }

    private void swap(int one, int other) {
        long word = words[one];
        words[one] = words[other];
        words[other] = word;
        int position = positions[one];
        positions[one] = positions[other];
        positions[other] = position;
    }

    private static void putShort(byte[] into, int at, int value) {
        into[at] = (byte) value;
        into[at + 1] = (byte) (value >>> 8);
    }

    private static int getShort(byte[] from, int at) {
        return (from[at] & 0xff) | (from[at + 1] & 0xff) << 8;
    }
}
