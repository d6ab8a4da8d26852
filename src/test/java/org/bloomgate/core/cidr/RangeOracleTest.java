package org.bloomgate.core.cidr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Random blocks, dense enough to nest and touch, against whole numbers in a tree: every edge of every
/// block, one off on either side, and random addresses.
class RangeOracleTest {
    private static final int BLOCKS = 3_000;

    @Test
    void ipv4AgreesWithWholeNumbers() throws RangesRefusedException {
        compare(new SplittableRandom(4), 4, 8);
    }

    @Test
    void ipv6AgreesWithWholeNumbers() throws RangesRefusedException {
        compare(new SplittableRandom(6), 16, 19);
    }

    private static void compare(SplittableRandom random, int bytes, int widest) throws RangesRefusedException {
        List<byte[]> blocks = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            blocks.add(block(random, bytes, random.nextInt(widest, bytes * 8 + 1)));
        }
        AddressRanges ranges = Blocks.open(Blocks.file(blocks));
        NavigableMap<BigInteger, BigInteger> merged = merged(blocks);
        assertEquals(merged.size(), ranges.ipv4Ranges() + ranges.ipv6Ranges());
        for (byte[] block : blocks) {
            BigInteger first = first(block);
            BigInteger last = last(block);
            for (BigInteger edge : List.of(first, last)) {
                for (int off = -1; off <= 1; off++) {
                    ask(ranges, merged, edge.add(BigInteger.valueOf(off)), bytes);
                }
            }
            ask(ranges, merged, first(block(random, bytes, bytes * 8)), bytes);
        }
    }

    private static void ask(
            AddressRanges ranges, NavigableMap<BigInteger, BigInteger> merged, BigInteger address, int bytes) {
        if (address.signum() < 0 || address.bitLength() > bytes * 8) {
            return;
        }
        byte[] key = key(address, bytes, bytes * 8);
        assertEquals(
                expected(merged, address, bytes * 8),
                ranges.widestBlock(key, 0, key.length),
                () -> address.toString(16));
    }

    private static int expected(NavigableMap<BigInteger, BigInteger> merged, BigInteger address, int bits) {
        var range = merged.floorEntry(address);
        if (range == null || range.getValue().compareTo(address) < 0) {
            return AddressRanges.NOT_COVERED;
        }
        int widest = bits;
        for (int prefix = bits; prefix >= 0; prefix--) {
            BigInteger size = BigInteger.ONE.shiftLeft(bits - prefix);
            BigInteger first = address.divide(size).multiply(size);
            BigInteger last = first.add(size).subtract(BigInteger.ONE);
            if (first.compareTo(range.getKey()) >= 0 && last.compareTo(range.getValue()) <= 0) {
                widest = prefix;
            }
        }
        return widest;
    }

    private static NavigableMap<BigInteger, BigInteger> merged(List<byte[]> blocks) {
        NavigableMap<BigInteger, BigInteger> merged = new TreeMap<>();
        blocks.stream()
                .sorted((one, other) -> first(one).compareTo(first(other)))
                .forEach(block -> {
                    var before = merged.lastEntry();
                    if (before != null && before.getValue().add(BigInteger.ONE).compareTo(first(block)) >= 0) {
                        merged.put(before.getKey(), before.getValue().max(last(block)));
                    } else {
                        merged.put(first(block), last(block));
                    }
                });
        return merged;
    }

    /// A few of the first bits are the same for all, so that blocks meet.
    private static byte[] block(SplittableRandom random, int bytes, int bits) {
        byte[] address = new byte[bytes];
        random.nextBytes(address);
        address[0] = 0x20;
        address[1] &= 0x1f;
        BigInteger host = BigInteger.ONE.shiftLeft(bytes * 8 - bits);
        BigInteger number = new BigInteger(1, address).divide(host).multiply(host);
        return key(number, bytes, bits);
    }

    private static byte[] key(BigInteger address, int bytes, int bits) {
        byte[] key = new byte[bytes + 2];
        byte[] number = address.toByteArray();
        int skipped = Math.max(0, number.length - bytes);
        int length = number.length - skipped;
        System.arraycopy(number, skipped, key, 1 + bytes - length, length);
        key[0] = (byte) (bytes == 4 ? 4 : 6);
        key[bytes + 1] = (byte) bits;
        return key;
    }

    private static BigInteger first(byte[] block) {
        return new BigInteger(1, Arrays.copyOfRange(block, 1, block.length - 1));
    }

    private static BigInteger last(byte[] block) {
        int hostBits = (block.length - 2) * 8 - (block[block.length - 1] & 0xff);
        return first(block).add(BigInteger.ONE.shiftLeft(hostBits)).subtract(BigInteger.ONE);
    }
}
