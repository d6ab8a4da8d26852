package org.bloomgate.core.cidr;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Builds ranges from blocks, which must be added in ascending order of their bytes: blocks inside others are
/// dropped, and adjacent ones are joined. The builder needs 8 bytes
/// of heap for an IPv4 range and 32 for an IPv6 range. Not thread-safe.
public final class RangeBuilder {
    private static final int FIRST_CAPACITY = 1024;

    private final int canonicalFormVersion;
    private long blocks;

    private long[] ipv4 = new long[FIRST_CAPACITY];
    private int ipv4Size;

    /// First and last address of each range, two numbers each.
    private long[] ipv6 = new long[FIRST_CAPACITY];

    private int ipv6Size;

    /// @param canonicalFormVersion the version of the rules that made the blocks
    public RangeBuilder(int canonicalFormVersion) {
        this.canonicalFormVersion = canonicalFormVersion;
    }

    /// Adds a block.
    ///
    /// @param bytes contain the block, from `from` to `to`
    /// @throws IllegalArgumentException if the bytes are not a block, or if the block is lower than the last one
    ///     added
    public void add(byte[] bytes, int from, int to) {
        int bits = Block.bits(bytes, to);
        if (Block.family(bytes, from, to) == Block.IPV4) {
            long first = Block.ipv4(bytes, from);
            addIpv4(first, first | Block.rest(bits));
        } else {
            long high = Block.high(bytes, from);
            long low = Block.low(bytes, from);
            addIpv6(high, low, high | Block.restHigh(bits), low | Block.restLow(bits));
        }
        blocks++;
    }

    private void addIpv4(long first, long last) {
        long previousStart = ipv4Size == 0 ? 0 : ipv4[ipv4Size - 1] >>> Integer.SIZE;
        long previousEnd = ipv4Size == 0 ? -1 : ipv4[ipv4Size - 1] & 0xffff_ffffL;
        require(first >= previousStart && ipv6Size == 0);
        if (ipv4Size > 0 && first <= previousEnd + 1) {
            ipv4[ipv4Size - 1] = (previousStart << Integer.SIZE) | Math.max(last, previousEnd);
            return;
        }
        if (ipv4Size == ipv4.length) {
            ipv4 = Arrays.copyOf(ipv4, ipv4Size * 2);
        }
        ipv4[ipv4Size++] = (first << Integer.SIZE) | last;
    }

    private void addIpv6(long firstHigh, long firstLow, long lastHigh, long lastLow) {
        int at = 4 * ipv6Size;
        if (ipv6Size > 0) {
            require(Block.compare(firstHigh, firstLow, ipv6[at - 4], ipv6[at - 3]) >= 0);
            if (reaches(ipv6[at - 2], ipv6[at - 1], firstHigh, firstLow)) {
                if (Block.compare(lastHigh, lastLow, ipv6[at - 2], ipv6[at - 1]) > 0) {
                    ipv6[at - 2] = lastHigh;
                    ipv6[at - 1] = lastLow;
                }
                return;
            }
        }
        if (at == ipv6.length) {
            ipv6 = Arrays.copyOf(ipv6, at * 2);
        }
        ipv6[at] = firstHigh;
        ipv6[at + 1] = firstLow;
        ipv6[at + 2] = lastHigh;
        ipv6[at + 3] = lastLow;
        ipv6Size++;
    }

    /// Whether a range with this last address overlaps or touches one with this first address.
    private static boolean reaches(long lastHigh, long lastLow, long firstHigh, long firstLow) {
        if (Block.compare(firstHigh, firstLow, lastHigh, lastLow) <= 0) {
            return true;
        }
        long low = lastLow + 1;
        return low == firstLow && lastHigh + (low == 0 ? 1 : 0) == firstHigh;
    }

    private static void require(boolean inOrder) {
        if (!inOrder) {
            throw new IllegalArgumentException("blocks out of order: a block is lower than the one added before it");
        }
    }

    /// The length of the file.
    public long fileBytes() {
        return header().fileBytes();
    }

    private RangeFormat.Header header() {
        return new RangeFormat.Header(canonicalFormVersion, blocks, ipv4Size, ipv6Size);
    }

    /// Writes the file.
    ///
    /// @param file a segment of [#fileBytes()]
    public void writeTo(MemorySegment file) {
        RangeFormat.Header header = header();
        long ipv4EndsAt = header.ipv4At() + (long) Integer.BYTES * ipv4Size;
        for (int i = 0; i < ipv4Size; i++) {
            file.set(RangeFormat.INT, header.ipv4At() + (long) Integer.BYTES * i, (int) (ipv4[i] >>> Integer.SIZE));
            file.set(RangeFormat.INT, ipv4EndsAt + (long) Integer.BYTES * i, (int) ipv4[i]);
        }
        long ipv6EndsAt = header.ipv6At() + 2L * Long.BYTES * ipv6Size;
        for (int i = 0; i < ipv6Size; i++) {
            long first = header.ipv6At() + 2L * Long.BYTES * i;
            long last = ipv6EndsAt + 2L * Long.BYTES * i;
            file.set(RangeFormat.LONG, first, ipv6[4 * i]);
            file.set(RangeFormat.LONG, first + Long.BYTES, ipv6[4 * i + 1]);
            file.set(RangeFormat.LONG, last, ipv6[4 * i + 2]);
            file.set(RangeFormat.LONG, last + Long.BYTES, ipv6[4 * i + 3]);
        }
        RangeFormat.writeHeader(file, header);
    }
}
