package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HashPartitionsTest {
    private static HashPartitions partitions(int keys) {
        return new HashPartitions(MemorySegment.ofArray(new byte[(int) HashPartitions.bytes(keys)]), keys);
    }

    @Test
    void moreHashesThanRoom_areRefused() {
        HashPartitions partitions = partitions(10);
        for (int i = 0; i < 10; i++) {
            partitions.add(i);
        }
        partitions.flush();
        partitions.add(10);
        assertThrows(FilterFullException.class, partitions::flush);
    }

    @Test
    void severalParts_areInOrder() {
        int keys = FuseShape.KEYS + 1;
        HashPartitions partitions = partitions(keys);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < keys; i++) {
            partitions.add(random.nextLong());
        }
        partitions.flush();
        assertEquals(2, partitions.parts());
        long[] room = new long[partitions.maxCount()];
        long before = 0;
        long walked = 0;
        for (int part = 0; part < partitions.parts(); part++) {
            int count = partitions.sort(part, room);
            assertEquals(count, partitions.read(part, room));
            for (int i = 0; i < count; i++) {
                assertTrue(walked == 0 || Long.compareUnsigned(before, room[i]) < 0);
                before = room[i];
                walked++;
            }
        }
        assertEquals(keys, walked);
    }
}
