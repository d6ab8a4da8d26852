package org.bloomgate.lists.rebuild;

import java.util.Arrays;

/// Counts distinct URLs among keys that come in their order: a page `x` and its folder `x/` are one. Keeps no more than
/// the pages that the key at hand begins with. Used by one thread.
final class CountedPages {
    private byte[] last = new byte[0];

    /// Where pages that the last key begins with end, the shortest first.
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
