package org.bloomgate.core.cidr;

import java.util.function.IntUnaryOperator;

/// An index by 16 bits of an address: the first range that begins with these bits.
final class SlotIndex {
    private static final int SLOTS = 1 << 16;
    private static final int[] NONE = {};

    private final int[] starts;

    /// @param slot returns the slot of each range; must be ascending
    SlotIndex(int ranges, IntUnaryOperator slot) {
        starts = ranges == 0 ? NONE : new int[SLOTS + 1];
        int next = 0;
        for (int range = 0; range < ranges; range++) {
            int of = slot.applyAsInt(range);
            while (next <= of) {
                starts[next++] = range;
            }
        }
        while (next < starts.length) {
            starts[next++] = ranges;
        }
    }

    /// The first range of this slot or a later one.
    int start(int slot) {
        return starts[slot];
    }
}
