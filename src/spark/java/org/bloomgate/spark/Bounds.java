package org.bloomgate.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Which keys stand in which partition: the first keys of all partitions but the first, in order of unsigned bytes.
final class Bounds implements Serializable {
    private static final long serialVersionUID = 1L;

    private final byte[][] firsts;

    private Bounds(byte[][] firsts) {
        this.firsts = firsts;
    }

    /// So many partitions of about one size, or fewer when the sample has fewer keys.
    static Bounds of(List<byte[]> sample, int partitions) {
        List<byte[]> sorted = sample.stream().sorted(Arrays::compareUnsigned).toList();
        List<byte[]> firsts = new ArrayList<>();
        for (int part = 1; part < partitions && !sorted.isEmpty(); part++) {
            byte[] first = sorted.get((int) ((long) sorted.size() * part / partitions));
            if (firsts.isEmpty() || Arrays.compareUnsigned(firsts.getLast(), first) < 0) {
                firsts.add(first);
            }
        }
        return new Bounds(firsts.toArray(byte[][]::new));
    }

    int partitions() {
        return firsts.length + 1;
    }

    int of(byte[] key) {
        int found = Arrays.binarySearch(firsts, key, Arrays::compareUnsigned);
        return found >= 0 ? found + 1 : -found - 1;
    }
}
