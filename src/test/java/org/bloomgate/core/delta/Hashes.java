package org.bloomgate.core.delta;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.bloomgate.core.bloom.HashPartitions;

/// Lists of hashes on the heap.
public final class Hashes {
    private Hashes() {}

    /// The list of unsorted hashes.
    public static HashList of(List<byte[]> canaries, long... hashes) {
        HashPartitions partitions = new HashPartitions(allocate(HashPartitions.bytes(hashes.length)), hashes.length);
        LongStream.of(hashes).forEach(partitions::add);
        partitions.flush();
        return HashList.sort(partitions, canaries);
    }

    /// The bytes of a whole list.
    public static byte[] whole(HashList list) throws DeltaRefusedException {
        return write(list.whole());
    }

    /// The bytes of the change from one list to another.
    public static byte[] change(HashList before, HashList after) throws DeltaRefusedException {
        return write(HashChange.between(before, after));
    }

    private static byte[] write(HashChange.Difference difference) throws DeltaRefusedException {
        MemorySegment out = allocate(difference.maxBytes());
        return out.asSlice(0, difference.write(out)).toArray(ValueLayout.JAVA_BYTE);
    }

    public static HashList read(byte[] bytes) throws DeltaRefusedException {
        return HashList.read(MemorySegment.ofArray(bytes));
    }

    public static HashList apply(byte[] change, HashList before) throws DeltaRefusedException {
        return HashChange.read(MemorySegment.ofArray(change)).applyTo(before);
    }

    /// Walks a list to its end.
    public static long[] walk(HashList list) throws DeltaRefusedException {
        return walk(list.open());
    }

    static long[] walk(NumberCursor cursor) throws DeltaRefusedException {
        long[] numbers = new long[16];
        int count = 0;
        while (cursor.next()) {
            numbers = count == numbers.length ? Arrays.copyOf(numbers, 2 * count) : numbers;
            numbers[count++] = cursor.number();
        }
        return Arrays.copyOf(numbers, count);
    }

    static MemorySegment allocate(long bytes) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    }
}
