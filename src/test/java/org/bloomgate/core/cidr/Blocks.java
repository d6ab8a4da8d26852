package org.bloomgate.core.cidr;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// Blocks in tests, from text such as `192.0.2.0/24`.
final class Blocks {
    static final int CANONICAL_FORM = 3;

    private Blocks() {}

    static byte[] of(String cidr) {
        String[] parts = cidr.split("/", -1);
        byte[] address = InetAddress.ofLiteral(parts[0]).getAddress();
        int bits = parts.length == 1 ? address.length * 8 : Integer.parseInt(parts[1]);
        byte[] bytes = new byte[address.length + 2];
        bytes[0] = (byte) (address.length == 4 ? 4 : 6);
        System.arraycopy(address, 0, bytes, 1, address.length);
        bytes[bytes.length - 1] = (byte) bits;
        return bytes;
    }

    static byte[] file(String... cidrs) {
        return file(Arrays.stream(cidrs).map(Blocks::of).toList());
    }

    static byte[] file(List<byte[]> blocks) {
        TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
        sorted.addAll(blocks);
        RangeBuilder builder = new RangeBuilder(CANONICAL_FORM);
        sorted.forEach(block -> builder.add(block, 0, block.length));
        byte[] file = new byte[Math.toIntExact(builder.fileBytes())];
        builder.writeTo(MemorySegment.ofArray(file));
        return file;
    }

    static AddressRanges open(byte[] file) throws RangesRefusedException {
        return RangeFormat.open(MemorySegment.ofArray(file), CANONICAL_FORM);
    }

    static int widest(AddressRanges ranges, String address) {
        byte[] block = of(address);
        return ranges.widestBlock(block, 0, block.length);
    }
}
