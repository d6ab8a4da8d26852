package org.bloomgate.core.cidr;

import java.lang.foreign.MemorySegment;

/// The IPv4 ranges of a file: all first addresses in order, then all last ones, 4 bytes each.
final class Ipv4Ranges {
    private static final int SLOT_SHIFT = 16;

    private final MemorySegment file;
    private final long firsts;
    private final long lasts;
    private final int size;
    private final SlotIndex index;

    Ipv4Ranges(MemorySegment file, long at, int size) {
        this.file = file;
        this.firsts = at;
        this.lasts = at + (long) Integer.BYTES * size;
        this.size = size;
        this.index = new SlotIndex(size, range -> (int) (first(range) >>> SLOT_SHIFT));
    }

    int size() {
        return size;
    }

    long first(int range) {
        return file.get(RangeFormat.INT, firsts + (long) Integer.BYTES * range) & 0xffff_ffffL;
    }

    long last(int range) {
        return file.get(RangeFormat.INT, lasts + (long) Integer.BYTES * range) & 0xffff_ffffL;
    }

    /// The last range that begins at or before the address; -1 if there is none.
    private int before(long address) {
        if (size == 0) {
            return -1;
        }
        int slot = (int) (address >>> SLOT_SHIFT);
        int low = index.start(slot);
        int high = index.start(slot + 1);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (first(middle) <= address) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    boolean meets(long first, long last) {
        int range = before(last);
        return range >= 0 && last(range) >= first;
    }

    int widest(long address) {
        int range = before(address);
        return range < 0 || last(range) < address
                ? AddressRanges.NOT_COVERED
                : widest(address, first(range), last(range));
    }

    /// The prefix length of the widest block in the range: its free bits end at the highest bit in which the
    /// address differs from the nearest addresses outside of the range.
    private static int widest(long address, long first, long last) {
        int below = first == 0 ? Integer.SIZE : differing(address, first - 1);
        return Integer.SIZE - Math.min(below, differing(address, last + 1));
    }

    private static int differing(long one, long other) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(one ^ other);
    }
}
