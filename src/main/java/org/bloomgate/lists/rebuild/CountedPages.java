package org.bloomgate.lists.rebuild;

import java.util.Arrays;

/// Counts distinct pages among URL keys in ascending order: a page `x` and its folder `x/` are one. It stores
/// only the pages that are prefixes of the current key. Used by one thread.
final class CountedPages {
    private byte[] last = new byte[0];

    /// The lengths of the pages that are prefixes of the last key, the shortest first.
    private int[] ends = new int[8];

    private int size;

    /// Whether the page of this key was not counted yet.
    ///
    /// @param key distinct from all before, and not before them in order
    boolean add(byte[] key, int from, int to) {
        int length = to - from;
        int common = Arrays.mismatch(key, from, to, last, 0, last.length);
        while (size > 0 && common >= 0 && ends[size - 1] > common) {
            size--;
        }
        boolean folder = key[to - 1] == '/' && size > 0 && ends[size - 1] == length - 1;
        last = Arrays.copyOfRange(key, from, to);
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, 2 * size);
        }
        ends[size++] = length;
        return !folder;
    }
}
