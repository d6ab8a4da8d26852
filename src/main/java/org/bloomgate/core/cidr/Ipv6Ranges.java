package org.bloomgate.core.cidr;

import java.lang.foreign.MemorySegment;

/// The IPv6 ranges of a file: all first addresses in order, then all last ones, 16 bytes each.
///
/// Addresses in use have a common beginning, so the index uses the 16 bits after those that all ranges share.
final class Ipv6Ranges {
    private static final int BYTES = 16;
    private static final int BITS = 2 * Long.SIZE;
    private static final int SLOT_BITS = 16;

    private final MemorySegment file;
    private final long firsts;
    private final long lasts;
    private final int size;

    /// The first half of the first address, and the number of its leading bits that all ranges share.
    private final long shared;

    private final int sharedBits;
    private final SlotIndex index;

    Ipv6Ranges(MemorySegment file, long at, int size) {
        this.file = file;
        this.firsts = at;
        this.lasts = at + (long) BYTES * size;
        this.size = size;
        this.shared = size == 0 ? 0 : firstHigh(0);
        this.sharedBits = size == 0 ? 0 : sharedBits(shared, firstHigh(size - 1));
        this.index = new SlotIndex(size, range -> slot(firstHigh(range)));
    }

    private static int sharedBits(long one, long other) {
        return Math.min(Long.SIZE - SLOT_BITS, Long.numberOfLeadingZeros(one ^ other));
    }

    private int slot(long high) {
        return (int) ((high << sharedBits) >>> (Long.SIZE - SLOT_BITS));
    }

    int size() {
        return size;
    }

    long firstHigh(int range) {
        return file.get(RangeFormat.LONG, firsts + (long) BYTES * range);
    }

    long firstLow(int range) {
        return file.get(RangeFormat.LONG, firsts + (long) BYTES * range + Long.BYTES);
    }

    long lastHigh(int range) {
        return file.get(RangeFormat.LONG, lasts + (long) BYTES * range);
    }

    long lastLow(int range) {
        return file.get(RangeFormat.LONG, lasts + (long) BYTES * range + Long.BYTES);
    }

    /// The last range that begins at or before the address; -1 if there is none.
    private int before(long high, long low) {
        if (size == 0 || Block.compare(high, low, shared, firstLow(0)) < 0) {
            return -1;
        }
        if (sharedBits > 0 && (high ^ shared) >>> (Long.SIZE - sharedBits) != 0) {
            return size - 1;
        }
        int slot = slot(high);
        int from = index.start(slot);
        int to = index.start(slot + 1);
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (Block.compare(firstHigh(middle), firstLow(middle), high, low) <= 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from - 1;
    }

    boolean meets(long firstHigh, long firstLow, long lastHigh, long lastLow) {
        int range = before(lastHigh, lastLow);
        return range >= 0 && Block.compare(lastHigh(range), lastLow(range), firstHigh, firstLow) >= 0;
    }

    int widest(long high, long low) {
        int range = before(high, low);
        return range < 0 || Block.compare(lastHigh(range), lastLow(range), high, low) < 0
                ? AddressRanges.NOT_COVERED
                : widest(high, low, range);
    }

    /// As for IPv4.
    private int widest(long high, long low, int range) {
        int below = differingBelow(high, low, firstHigh(range), firstLow(range));
        return BITS - Math.min(below, differingAbove(high, low, lastHigh(range), lastLow(range)));
    }

    private static int differingBelow(long high, long low, long firstHigh, long firstLow) {
        return (firstHigh | firstLow) == 0
                ? BITS
                : differing(high, low, firstLow == 0 ? firstHigh - 1 : firstHigh, firstLow - 1);
    }

    private static int differingAbove(long high, long low, long lastHigh, long lastLow) {
        return (lastHigh & lastLow) == -1
                ? BITS
                : differing(high, low, lastLow == -1 ? lastHigh + 1 : lastHigh, lastLow + 1);
    }

    private static int differing(long high, long low, long otherHigh, long otherLow) {
        return high == otherHigh
                ? Long.SIZE - 1 - Long.numberOfLeadingZeros(low ^ otherLow)
                : BITS - 1 - Long.numberOfLeadingZeros(high ^ otherHigh);
    }
}
