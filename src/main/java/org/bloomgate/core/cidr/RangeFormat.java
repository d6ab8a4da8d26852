package org.bloomgate.core.cidr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// The format of a file of ranges: a header with its fields at the offsets named here, then the first addresses
/// of all IPv4 ranges, their last addresses, and the same for all IPv6 ranges. Numbers are in network byte
/// order, so that an address looks as in a packet; bytes outside of fields are zero.
///
/// Ranges are in ascending order and neither overlap nor touch, so that equal lists have equal bytes. The magic
/// number is chosen like that of a filter.
public final class RangeFormat {
    public static final int HEADER_BYTES = 64;

    static final int VERSION = 1;
    static final int IPV4_BYTES = 8;
    static final int IPV6_BYTES = 32;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final byte[] MAGIC = "\u0089BGR\r\n\u001a\n".getBytes(StandardCharsets.ISO_8859_1);

    private static final int VERSION_AT = 8;
    private static final int HEADER_BYTES_AT = 12;
    private static final int CANONICAL_FORM_AT = 16;
    private static final int ZERO_AT = 20; // 4 bytes
    private static final int BLOCKS_AT = 24; // 8
    private static final int IPV4_AT = 32;
    private static final int IPV6_AT = 36;
    private static final int BODY_CHECKSUM_AT = 40; // CRC32C of all bytes behind the header
    private static final int ZEROS_AT = 44; // 16
    private static final int HEADER_CHECKSUM_AT = HEADER_BYTES - 4; // CRC32C of all bytes before

    private RangeFormat() {}

    /// @param blocks number of blocks from which the ranges were made
    record Header(int canonicalForm, long blocks, int ipv4, int ipv6) {
        long ipv4At() {
            return HEADER_BYTES;
        }

        long ipv6At() {
            return ipv4At() + (long) IPV4_BYTES * ipv4;
        }

        long fileBytes() {
            return ipv6At() + (long) IPV6_BYTES * ipv6;
        }
    }

    /// Opens a file after checking every byte of it.
    ///
    /// @param file the whole file: native, mapped or a `byte[]`
    /// @param canonicalForm the version of the rules with which its blocks must have been made
    public static AddressRanges open(MemorySegment file, int canonicalForm) throws RangesRefusedException {
        Header header = readHeader(file);
        require(header.canonicalForm() == canonicalForm, "canonical form", header.canonicalForm(), canonicalForm);
        int checksum = checksum(file, HEADER_BYTES, file.byteSize() - HEADER_BYTES);
        if (file.get(INT, BODY_CHECKSUM_AT) != checksum) {
            throw new RangesRefusedException("checksum of the ranges does not match");
        }
        AddressRanges ranges = new AddressRanges(file.asReadOnly(), header);
        verifyOrder(file, header);
        return ranges;
    }

    private static Header readHeader(MemorySegment file) throws RangesRefusedException {
        verifyShell(file);
        Header header = new Header(
                file.get(INT, CANONICAL_FORM_AT),
                file.get(LONG, BLOCKS_AT),
                file.get(INT, IPV4_AT),
                file.get(INT, IPV6_AT));
        if (header.ipv4() < 0 || header.ipv6() < 0 || header.blocks() < (long) header.ipv4() + header.ipv6()) {
            throw new RangesRefusedException("ranges " + header.ipv4() + " and " + header.ipv6() + " of "
                    + header.blocks() + " blocks: out of range");
        }
        require(file.byteSize() == header.fileBytes(), "file length", file.byteSize(), header.fileBytes());
        return header;
    }

    private static void verifyShell(MemorySegment file) throws RangesRefusedException {
        if (file.byteSize() < HEADER_BYTES) {
            throw new RangesRefusedException("shorter than a header: " + file.byteSize() + " bytes");
        }
        if (file.asSlice(0, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) >= 0) {
            throw new RangesRefusedException("not a file of ranges: wrong magic");
        }
        require(file.get(INT, VERSION_AT) == VERSION, "format version", file.get(INT, VERSION_AT), VERSION);
        if (file.get(INT, HEADER_CHECKSUM_AT) != checksum(file, 0, HEADER_CHECKSUM_AT)) {
            throw new RangesRefusedException("header checksum does not match");
        }
        require(
                file.get(INT, HEADER_BYTES_AT) == HEADER_BYTES,
                "header length",
                file.get(INT, HEADER_BYTES_AT),
                HEADER_BYTES);
        boolean zero =
                file.get(INT, ZERO_AT) == 0 && (file.get(LONG, ZEROS_AT) | file.get(LONG, ZEROS_AT + Long.BYTES)) == 0;
        if (!zero) {
            throw new RangesRefusedException("header holds what this version does not know");
        }
    }

    private static void verifyOrder(MemorySegment file, Header header) throws RangesRefusedException {
        Ipv4Ranges ipv4 = new Ipv4Ranges(file, header.ipv4At(), header.ipv4());
        for (int i = 0; i < ipv4.size(); i++) {
            boolean apart = i == 0 || ipv4.first(i) > ipv4.last(i - 1) + 1;
            if (!apart || ipv4.first(i) > ipv4.last(i)) {
                throw new RangesRefusedException("IPv4 range " + i + " out of order");
            }
        }
        Ipv6Ranges ipv6 = new Ipv6Ranges(file, header.ipv6At(), header.ipv6());
        for (int i = 0; i < ipv6.size(); i++) {
            boolean apart = i == 0 || isApart(ipv6, i);
            boolean ascends =
                    Block.compare(ipv6.firstHigh(i), ipv6.firstLow(i), ipv6.lastHigh(i), ipv6.lastLow(i)) <= 0;
            if (!apart || !ascends) {
                throw new RangesRefusedException("IPv6 range " + i + " out of order");
            }
        }
    }

    /// Whether there is an address between the range and the one before.
    private static boolean isApart(Ipv6Ranges ranges, int i) {
        long low = ranges.lastLow(i - 1) + 1;
        long high = ranges.lastHigh(i - 1) + (low == 0 ? 1 : 0);
        boolean overflowed = (high | low) == 0;
        return !overflowed && Block.compare(ranges.firstHigh(i), ranges.firstLow(i), high, low) > 0;
    }

    /// Writes the header of a file whose ranges are complete.
    static void writeHeader(MemorySegment file, Header header) {
        file.asSlice(0, HEADER_BYTES).fill((byte) 0);
        MemorySegment.copy(MAGIC, 0, file, ValueLayout.JAVA_BYTE, 0, MAGIC.length);
        file.set(INT, VERSION_AT, VERSION);
        file.set(INT, HEADER_BYTES_AT, HEADER_BYTES);
        file.set(INT, CANONICAL_FORM_AT, header.canonicalForm());
        file.set(LONG, BLOCKS_AT, header.blocks());
        file.set(INT, IPV4_AT, header.ipv4());
        file.set(INT, IPV6_AT, header.ipv6());
        file.set(INT, BODY_CHECKSUM_AT, checksum(file, HEADER_BYTES, file.byteSize() - HEADER_BYTES));
        file.set(INT, HEADER_CHECKSUM_AT, checksum(file, 0, HEADER_CHECKSUM_AT));
    }

    private static int checksum(MemorySegment file, long from, long length) {
        CRC32C crc = new CRC32C();
        long end = from + length;
        for (long at = from; at < end; at += Integer.MAX_VALUE) {
            crc.update(file.asSlice(at, Math.min(Integer.MAX_VALUE, end - at)).asByteBuffer());
        }
        return (int) crc.getValue();
    }

    private static void require(boolean asExpected, String what, long found, long expected)
            throws RangesRefusedException {
        if (!asExpected) {
            throw new RangesRefusedException(what + " is " + found + ", expected " + expected);
        }
    }
}
