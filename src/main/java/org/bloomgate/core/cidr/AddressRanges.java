package org.bloomgate.core.cidr;

import java.lang.foreign.MemorySegment;

/// Read-only view of a file of ranges. Immutable, thread-safe; a question allocates nothing.
///
/// A question reads an index of 2^16 entries by the first bits of the address, then halves the ranges that
/// begin there. The index is made when the file is opened. Takes 8 octets an IPv4 range and 32 an IPv6
/// range, mapped, and 256 KiB for the index of a family that has ranges. The view is valid as long as the
/// segment it was opened on.
public final class AddressRanges {
    /// Answer of [#widestBlock] for an address that is not listed.
    public static final int NOT_COVERED = -1;

    private final Ipv4Ranges ipv4;
    private final Ipv6Ranges ipv6;
    private final long blocks;

    AddressRanges(MemorySegment file, RangeFormat.Header header) {
        ipv4 = new Ipv4Ranges(file, header.ipv4At(), header.ipv4());
        ipv6 = new Ipv6Ranges(file, header.ipv6At(), header.ipv6());
        blocks = header.blocks();
    }

    /// How many blocks the ranges were made of.
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
    /// @param octets hold the block between the two positions
    public boolean covers(byte[] octets, int from, int to) {
        int bits = Block.bits(octets, to);
        int widest = widestBlock(octets, from, to);
        return widest != NOT_COVERED && widest <= bits;
    }

    /// The fewest leading bits of an address that make a block of which all addresses are listed: whoever
    /// lists the address lists it with a block of so many bits or more.
    ///
    /// @param octets hold the address, or the first one of a block, between the two positions
    /// @return [#NOT_COVERED] when the address is not listed
    public int widestBlock(byte[] octets, int from, int to) {
        return Block.family(octets, from, to) == Block.IPV4
                ? ipv4.widest(Block.ipv4(octets, from))
                : ipv6.widest(Block.high(octets, from), Block.low(octets, from));
    }

    /// Whether any address of the block is listed.
    ///
    /// @param octets hold the block between the two positions
    public boolean meets(byte[] octets, int from, int to) {
        int bits = Block.bits(octets, to);
        if (Block.family(octets, from, to) == Block.IPV4) {
            long first = Block.ipv4(octets, from);
            return ipv4.meets(first, first | Block.rest(bits));
        }
        long high = Block.high(octets, from);
        long low = Block.low(octets, from);
        return ipv6.meets(high, low, high | Block.restHigh(bits), low | Block.restLow(bits));
    }
}
