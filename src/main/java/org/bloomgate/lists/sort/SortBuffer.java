package org.bloomgate.lists.sort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinTask;

/// Records packed into bytes, without an object for each, and sorted by moving their positions.
///
/// A record is a key (kind code and bytes), its source and a count. The order is that of the key's unsigned
/// bytes, then of the source. A radix sort compares eight bytes at a time, which are stored next to the
/// positions, and continues with the next eight where they are equal. Its time depends only on the bytes of the
/// keys, so that no feed can make it slow. Not thread-safe.
public final class SortBuffer {
    /// Longest key with its kind code.
    public static final int MAX_KEY_BYTES = 16 << 10;

    /// Highest source number.
    public static final int MAX_SOURCE = 0xffff;

    private static final int HEADER_BYTES = 2 + 2 + 8;
    private static final int INDEX_BYTES = Long.BYTES + Integer.BYTES;

    /// Ranges up to this size are sorted by insertion.
    private static final int INSERTION_RECORDS = 16;

    /// The bits that one pass of the sort examines, below the equal ones.
    private static final int DIGIT_BITS = 8;

    private static final int DIGITS = 1 << DIGIT_BITS;

    /// Ranges from this size on are sorted by another thread.
    private static final int FORK_RECORDS = 1 << 14;

    private static final int WORD_BYTES = Long.BYTES;

    private final int segmentShift;
    private final byte[][] segments;
    private final int maxRecords;
    private long[] words = new long[1024];
    private int[] positions = new int[1024];
    private int size;
    private int segment;
    private int usedBytes;

    /// @param memoryBytes bound of the heap, from 96 KiB to 1 GiB; two thirds of it are for records
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
        if (size == maxRecords || !makeRoom(needed)) {
            return false;
        }
        byte[] target = segments[segment];
        int at = usedBytes;
        putShort(target, at, keyLength);
        putShort(target, at + 2, source);
        for (int i = 0; i < WORD_BYTES; i++) {
            target[at + 4 + i] = (byte) (count >>> (8 * i));
        }
        target[at + HEADER_BYTES] = (byte) kindCode;
        System.arraycopy(bytes, from, target, at + HEADER_BYTES + 1, keyLength - 1);
        if (size == positions.length) {
            int larger = (int) Math.min(maxRecords, size * 2L);
            positions = Arrays.copyOf(positions, larger);
            words = Arrays.copyOf(words, larger);
        }
        positions[size++] = (segment << segmentShift) + at;
        usedBytes += needed;
        return true;
    }

    /// Ensures that the current segment has space; false if no segment is left.
    private boolean makeRoom(int needed) {
        if (usedBytes + needed > 1 << segmentShift) {
            if (segment + 1 == segments.length) {
                return false;
            }
            segment++;
            usedBytes = 0;
        }
        if (segments[segment] == null) {
            segments[segment] = new byte[1 << segmentShift];
        }
        return true;
    }

    int size() {
        return size;
    }

    /// Removes all records; the memory stays allocated.
    void clear() {
        size = 0;
        segment = 0;
        usedBytes = 0;
    }

    /// Sorts all records, on all processors if there are many.
    void sort() {
        loadWords(0, size, 0);
        sortWhole(0, size, 0);
    }

    /// Reads the length of each record in a range, so that the cache misses overlap and later accesses to the
    /// records are fast.
    void touch(int from, int to) {
        int shortest = MAX_KEY_BYTES;
        for (int i = from; i < to; i++) {
            shortest = Math.min(shortest, keyLength(positions[i]));
        }
        if (shortest == 0) {
            throw new IllegalStateException("a record without the kind of its key");
        }
    }

    /// The segment with the key of the record, from [#keyFrom] to [#keyTo].
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
        return readSource(positions[record]);
    }

    long count(int record) {
        byte[] bytes = keyBytes(record);
        int at = offset(positions[record]) + 4;
        long count = 0;
        for (int i = 0; i < WORD_BYTES; i++) {
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

    private int readSource(int position) {
        return getShort(segments[position >>> segmentShift], offset(position) + 2);
    }

    /// Sorts a range including the forked parts. It joins the last one first, which is the least likely to be
    /// stolen by another thread. Parameters as for [#sort].
    private void sortWhole(int from, int to, int depth) {
        List<ForkJoinTask<?>> forked = new ArrayList<>();
        sort(from, to, depth, forked);
        forked.reversed().forEach(ForkJoinTask::join);
    }

    /// Sorts a part on another thread if it is large, else at once.
    private void sortPart(int from, int to, int depth, List<ForkJoinTask<?>> forked) {
        if (to - from < FORK_RECORDS) {
            sort(from, to, depth, forked);
        } else {
            forked.add(ForkJoinTask.adapt(() -> sortWhole(from, to, depth)).fork());
        }
    }

    /// Continues with the largest of the parts in a loop, so that the depth of calls is at most the logarithm
    /// of the number of records, even if keys have long common prefixes.
    ///
    /// @param depth number of leading bytes that are equal within the range; -1 if all are, and the words are
    ///     those of [#loadTails]
    /// @param forked receives the parts that other threads sort
    private void sort(int from, int to, int depth, List<ForkJoinTask<?>> forked) {
        int low = from;
        int high = to;
        int at = depth;
        while (high - low > INSERTION_RECORDS) {
            long differing = differing(low, high);
            if (differing != 0) {
                int[] ends = partition(
                        low, high, Math.max(0, Long.SIZE - DIGIT_BITS - Long.numberOfLeadingZeros(differing)));
                int largest = largest(low, ends);
                int start = low;
                for (int digit = 0; digit < ends.length; digit++) {
                    int end = ends[digit];
                    if (digit == largest) {
                        low = start;
                        high = end;
                    } else if (end - start > 1) {
                        sortPart(start, end, at, forked);
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

    /// Sorts words by one digit, in place (McIlroy, Bostic, McIlroy: "Engineering Radix Sort", 1993).
    ///
    /// @param shift number of bits below the digit; all above it are equal
    /// @return the end of the words of each digit
    private int[] partition(int low, int high, int shift) {
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
                fill(i, digit, shift, next);
            }
        }
        return ends;
    }

    /// Moves the record at a position to the records of its digit, then the one that it replaced, and so on,
    /// until a record of the expected digit is found for the position.
    private void fill(int here, int expected, int shift, int[] next) {
        long word = words[here];
        int position = positions[here];
        int digit = digit(word, shift);
        while (digit != expected) {
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
        next[expected] = here + 1;
    }

    /// The digit that most words have.
    private static int largest(int low, int[] ends) {
        int largest = 0;
        int largestSize = 0;
        int start = low;
        for (int digit = 0; digit < ends.length; digit++) {
            if (ends[digit] - start > largestSize) {
                largestSize = ends[digit] - start;
                largest = digit;
            }
            start = ends[digit];
        }
        return largest;
    }

    /// Loads the words after the equal ones.
    ///
    /// @return the new depth
    private int deeper(int from, int to, int depth) {
        int next = depth + WORD_BYTES;
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
        int length = Math.min(WORD_BYTES, keyLength(position) - depth);
        long word = 0;
        for (int i = 0; i < length; i++) {
            word |= (bytes[at + i] & 0xffL) << (56 - 8 * i);
        }
        return word;
    }

    /// Loads the words for keys that are equal except for zero bytes at their end: the shorter sorts first,
    /// then the lower source.
    private void loadTails(int from, int to) {
        for (int i = from; i < to; i++) {
            words[i] = (long) keyLength(positions[i]) << 16 | readSource(positions[i]);
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
