package org.bloomgate.core.cidr;

import java.lang.foreign.MemorySegment;

/// A read-only view of a file of ranges. Immutable, thread-safe; a query allocates nothing.
///
/// A query reads an index of 2^16 entries by the first bits of the address, then does a binary search in the
/// ranges of that entry. The index is built when the file is opened. An IPv4 range takes 8 bytes and an IPv6
/// range 32 bytes of the mapped file, and the index of a family that has ranges 256 KiB. The view is valid as
/// long as the segment it was opened on.
public final class AddressRanges {
    /// The result of [#widestBlock] for an address that is not listed.
    public static final int NOT_COVERED = -1;

    private final Ipv4Ranges ipv4;
    private final Ipv6Ranges ipv6;
    private final long blocks;

    AddressRanges(MemorySegment file, RangeFormat.Header header) {
        ipv4 = new Ipv4Ranges(file, header.ipv4At(), header.ipv4());
        ipv6 = new Ipv6Ranges(file, header.ipv6At(), header.ipv6());
        blocks = header.blocks();
    }

    /// The number of blocks from which the ranges were made.
    public long blocks() {
        return blocks;
    }

    public int ipv4Ranges() {
        return ipv4.size();
    }

    public int ipv6Ranges() {
        return ipv6.size();
    }

    /// Whether every address of the block is listed.
    ///
    /// @param bytes hold the block between the two positions
    public boolean covers(byte[] bytes, int from, int to) {
        int bits = Block.bits(bytes, to);
        int widest = widestBlock(bytes, from, to);
        return widest != NOT_COVERED && widest <= bits;
    }

    /// The prefix length of the widest block around an address in which all addresses are listed: every listing
    /// of the address has at least this many bits.
    ///
    /// @param bytes hold the address, or the first one of a block, between the two positions
    /// @return [#NOT_COVERED] if the address is not listed
    public int widestBlock(byte[] bytes, int from, int to) {
        return Block.family(bytes, from, to) == Block.IPV4
                ? ipv4.widest(Block.ipv4(bytes, from))
                : ipv6.widest(Block.high(bytes, from), Block.low(bytes, from));
    }

    /// Whether any address of the block is listed.
    ///
    /// @param bytes hold the block between the two positions
    public boolean meets(byte[] bytes, int from, int to) {
        int bits = Block.bits(bytes, to);
        if (Block.family(bytes, from, to) == Block.IPV4) {
            long first = Block.ipv4(bytes, from);
            return ipv4.meets(first, first | Block.rest(bits));
        }
        long high = Block.high(bytes, from);
        long low = Block.low(bytes, from);
        return ipv6.meets(high, low, high | Block.restHigh(bits), low | Block.restLow(bits));
    }
}
