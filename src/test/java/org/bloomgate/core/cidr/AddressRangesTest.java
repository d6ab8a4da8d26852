package org.bloomgate.core.cidr;

import static org.bloomgate.core.cidr.AddressRanges.NOT_COVERED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AddressRangesTest {

    @Test
    void anAddressWithinARangeIsCoveredAndItsNeighboursAreNot() throws RangesRefusedException {
        AddressRanges ranges = Blocks.open(Blocks.file("192.0.2.0/25", "2001:db8:0:8::/61"));

        assertEquals(25, Blocks.widest(ranges, "192.0.2.0"));
        assertEquals(25, Blocks.widest(ranges, "192.0.2.127"));
        assertEquals(NOT_COVERED, Blocks.widest(ranges, "192.0.2.128"));
        assertEquals(NOT_COVERED, Blocks.widest(ranges, "192.0.1.255"));
        assertEquals(61, Blocks.widest(ranges, "2001:db8:0:8::"));
        assertEquals(61, Blocks.widest(ranges, "2001:db8:0:f:ffff:ffff:ffff:ffff"));
        assertEquals(NOT_COVERED, Blocks.widest(ranges, "2001:db8:0:10::"));
        assertEquals(NOT_COVERED, Blocks.widest(ranges, "2001:db8:0:7:ffff:ffff:ffff:ffff"));
        assertEquals(NOT_COVERED, Blocks.widest(ranges, "::1"));
        assertEquals(NOT_COVERED, Blocks.widest(ranges, "ffff::"));
    }

    @Test
    void whatTouchesBecomesOneRangeAndWhatIsWithinVanishes() throws RangesRefusedException {
        AddressRanges ranges = Blocks.open(Blocks.file(
                "192.0.2.0/25", "192.0.2.128/25", "192.0.2.7", "2001:db8::/33", "2001:db8:8000::/33", "2001:db8::1"));

        assertEquals(1, ranges.ipv4Ranges());
        assertEquals(1, ranges.ipv6Ranges());
        assertEquals(6, ranges.blocks());
        assertEquals(24, Blocks.widest(ranges, "192.0.2.200"));
        assertEquals(32, Blocks.widest(ranges, "2001:db8:8000::9"));
    }

    @Test
    void rangesReachTheEndsOfTheirFamilies() throws RangesRefusedException {
        AddressRanges ranges = Blocks.open(Blocks.file("0.0.0.0/0", "::/0"));
        assertEquals(0, Blocks.widest(ranges, "255.255.255.255"));
        assertEquals(0, Blocks.widest(ranges, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));

        AddressRanges edges =
                Blocks.open(Blocks.file("0.0.0.0", "255.255.255.255", "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
        assertEquals(32, Blocks.widest(edges, "0.0.0.0"));
        assertEquals(32, Blocks.widest(edges, "255.255.255.255"));
        assertEquals(NOT_COVERED, Blocks.widest(edges, "128.0.0.0"));
        assertEquals(128, Blocks.widest(edges, "::"));
        assertEquals(128, Blocks.widest(edges, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
        assertEquals(NOT_COVERED, Blocks.widest(edges, "8000::"));
    }

    @Test
    void aBlockIsCoveredOnlyWhole() throws RangesRefusedException {
        AddressRanges ranges = Blocks.open(Blocks.file("192.0.2.0/25", "2001:db8::/64"));

        assertTrue(covers(ranges, "192.0.2.64/26"));
        assertFalse(covers(ranges, "192.0.2.0/24"));
        assertTrue(covers(ranges, "2001:db8::/64"));
        assertFalse(covers(ranges, "2001:db8::/63"));
    }

    @Test
    void aBlockMeetsARangeThatBeginsWithinIt() throws RangesRefusedException {
        AddressRanges ranges = Blocks.open(Blocks.file("192.0.2.77", "2001:db8:7::/48"));

        assertTrue(meets(ranges, "192.0.0.0/16"));
        assertTrue(meets(ranges, "192.0.2.77"));
        assertFalse(meets(ranges, "192.0.2.78"));
        assertTrue(meets(ranges, "2000::/4"));
        assertFalse(meets(ranges, "2001:db8:8::/45"));
    }

    @Test
    void nothingListedCoversNothing() throws RangesRefusedException {
        AddressRanges none = Blocks.open(Blocks.file());
        assertEquals(NOT_COVERED, Blocks.widest(none, "192.0.2.1"));
        assertEquals(NOT_COVERED, Blocks.widest(none, "2001:db8::1"));
    }

    @Test
    void blocksMustComeInOrderAndWhole() {
        RangeBuilder builder = new RangeBuilder(1);
        byte[] later = Blocks.of("198.51.100.0/24");
        byte[] earlier = Blocks.of("192.0.2.0/24");
        builder.add(later, 0, later.length);
        assertThrows(IllegalArgumentException.class, () -> builder.add(earlier, 0, earlier.length));
        assertThrows(IllegalArgumentException.class, () -> builder.add(later, 0, later.length - 1));
        byte[] tooLong = Blocks.of("198.51.100.0/33");
        assertThrows(IllegalArgumentException.class, () -> builder.add(tooLong, 0, tooLong.length));
    }

    private static boolean covers(AddressRanges ranges, String cidr) {
        byte[] block = Blocks.of(cidr);
        return ranges.covers(block, 0, block.length);
    }

    private static boolean meets(AddressRanges ranges, String cidr) {
        byte[] block = Blocks.of(cidr);
        return ranges.meets(block, 0, block.length);
    }
}
