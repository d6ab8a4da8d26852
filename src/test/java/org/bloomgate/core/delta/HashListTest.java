package org.bloomgate.core.delta;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashListTest {
    private static final List<byte[]> CANARIES = List.of("a.example".getBytes(StandardCharsets.UTF_8), new byte[251]);

    /// The codes of Google's server (google/safebrowsing, hash_test.go, TestRiceDecoder).
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | f702 | 15 9",
                "5 | 00 | 0",
                "28 | 54607be70a5fc1dcee69defe583ca3d6a5f2108c4a595600"
                        + " | 62763050 1046523781 192522171 1800511020 4442775 582142548",
                "28 | 06861b2314cb46f2af0708c988541f4104d51a03ebe63a8013917bbf83f3b785f12918b36109"
                        + " | 26067715 344823336 8420095 399843890 95029378 731622412 35811335 1047558127"
                        + " 1117722715 78698892"
            })
    void codes_areThoseOfSafeBrowsing(int k, String hex, String numbers) throws Exception {
        RiceList.CodeReader codes =
                new RiceList.CodeReader(MemorySegment.ofArray(HexFormat.of().parseHex(hex)), 1000);
        for (String number : numbers.split(" ", -1)) {
            assertEquals(Long.parseLong(number), codes.read(k));
        }
    }

    @Test
    void list_survivesEncodingAndDecoding() throws Exception {
        SplittableRandom random = new SplittableRandom(16);
        for (int round = 0; round < 400; round++) {
            int bound = random.nextInt(3, 64);
            HashList list = list(random.longs(random.nextInt(300))
                    .map(hash -> hash >>> (63 - bound))
                    .toArray());
            HashList read = Hashes.read(Hashes.whole(list));
            assertEquals(list.size(), read.size());
            assertArrayEquals(Hashes.walk(list), Hashes.walk(read));
            assertEquals(2, read.canaries().size());
            assertArrayEquals(CANARIES.get(1), read.canaries().get(1));
        }
    }

    /// Removed positions are close together: their mean distance can be any small number.
    @Test
    void numbersAtAnyDistance_surviveEncodingAndDecoding() throws Exception {
        SplittableRandom random = new SplittableRandom(18);
        for (int most = 1; most < 600; most++) {
            long[] values = new long[500];
            for (int i = 1; i < values.length; i++) {
                values[i] = values[i - 1] + 1 + random.nextInt(most);
            }
            assertCoded(values[values.length - 1] + 1, values);
            assertCoded(-1, values);
        }
        assertCoded(-1, 0, 1, Long.MAX_VALUE, -2);
        assertCoded(4, 0, 1, 2, 3);
        assertCoded(-1, 7);
        assertCoded(-1);
    }

    private static void assertCoded(long range, long... values) throws Exception {
        MemorySegment out = Hashes.allocate(RiceList.maxBytes(range, values.length));
        RiceList.Writer writer = new RiceList.Writer(out, 0, range, values.length);
        LongStream.of(values).forEach(writer::add);
        MemorySegment bytes = out.asSlice(0, writer.finish());
        RiceList read = RiceList.read(bytes, 0, values.length);
        assertEquals(bytes.byteSize(), read.bytes());
        assertArrayEquals(values, Hashes.walk(read.open()));
    }

    @Test
    void change_leadsFromOneListToTheOther() throws Exception {
        SplittableRandom random = new SplittableRandom(17);
        HashList list = HashList.EMPTY;
        for (int round = 0; round < 1000; round++) {
            HashList before = list;
            long[] kept = LongStream.of(Hashes.walk(list))
                    .filter(_ -> random.nextInt(10) > 0)
                    .toArray();
            list = list(LongStream.concat(LongStream.of(kept), random.longs(random.nextInt(40)))
                    .toArray());
            assertArrayEquals(Hashes.walk(list), Hashes.walk(Hashes.apply(Hashes.change(before, list), before)));
        }
        assertTrue(list.size() > 50);
    }

    /// 1 million keys, a twentieth new and a twentieth gone, in 350 KB; an hour's change in 5 KB.
    @ParameterizedTest
    @CsvSource({"50_000, 350_000", "500, 5_000"})
    void change_takesFewBytes(String changed, String most) throws Exception {
        SplittableRandom random = new SplittableRandom(18);
        int size = 1_000_000;
        int count = Integer.parseInt(changed.replace("_", ""));
        HashList before = list(random.longs(size).toArray());
        long[] shuffled = Hashes.walk(before);
        for (int i = 0; i < count; i++) {
            shuffled[random.nextInt(i * (size / count), (i + 1) * (size / count))] = random.nextLong();
        }
        HashList after = list(shuffled);
        int bytes = Hashes.change(before, after).length;
        assertTrue(bytes <= Integer.parseInt(most.replace("_", "")), () -> bytes + " bytes");
        assertTrue(bytes > count * 5, () -> bytes + " bytes");
    }

    @Test
    void cutOrFlippedBit_isRejectedOrAscends() throws Exception {
        SplittableRandom random = new SplittableRandom(19);
        HashList before = list(random.longs(50).toArray());
        HashList after =
                list(LongStream.concat(LongStream.of(Hashes.walk(before)).skip(5), random.longs(5))
                        .toArray());
        byte[] change = Hashes.change(before, after);
        for (int length = 0; length < change.length; length++) {
            byte[] cut = Arrays.copyOf(change, length);
            assertThrows(DeltaRefusedException.class, () -> walkChanged(before, cut));
        }
        assertThrows(DeltaRefusedException.class, () -> walkChanged(before, Arrays.copyOf(change, change.length + 1)));
        for (int bit = 0; bit < change.length * 8; bit++) {
            byte[] flipped = change.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertAscends(before, flipped);
        }
    }

    private static long[] walkChanged(HashList before, byte[] change) throws DeltaRefusedException {
        return Hashes.walk(Hashes.apply(change, before));
    }

    private static void assertAscends(HashList before, byte[] bytes) {
        try {
            long[] hashes = walkChanged(before, bytes);
            for (int i = 1; i < hashes.length; i++) {
                assertTrue(Long.compareUnsigned(hashes[i - 1], hashes[i]) < 0);
            }
        } catch (DeltaRefusedException refused) {
            assertTrue(String.valueOf(refused.getMessage()).length() > 5);
        }
    }

    @Test
    void absurdCountsAndEndlessRuns_areRejected() {
        assertRefused(list(1L << 40, new byte[4], 3), "numbers in 4 bytes");
        assertRefused(list(-1, new byte[4], 3), "numbers where at most");
        assertRefused(list(Long.MAX_VALUE, new byte[4], 3), "bytes of codes");
        assertRefused(list(42, new byte[4], 0), "bytes of codes");
        byte[] ones = new byte[1 << 20];
        Arrays.fill(ones, (byte) 0xff);
        assertRefused(list(1000, ones, 3), "an endless run of ones");
        assertRefused(list(2, new byte[9], 63), "Rice parameter 63");
        assertRefused(list(2, new byte[9], 0), "do not ascend");
    }

    private static byte[] list(long count, byte[] codes, int k) {
        return ByteBuffer.allocate(5 + 16 + 1 + 8 + 8 + 8 + 1 + 8 + codes.length)
                .put("BGHL\2".getBytes(StandardCharsets.ISO_8859_1))
                .putLong(0)
                .putLong(Math.max(0, count))
                .put((byte) 0)
                .putLong(0)
                .putLong(count)
                .putLong(7)
                .put((byte) k)
                .putLong(codes.length)
                .put(codes)
                .array();
    }

    private static void assertRefused(byte[] bytes, String reason) {
        DeltaRefusedException refused =
                assertThrows(DeltaRefusedException.class, () -> Hashes.walk(Hashes.read(bytes)));
        assertTrue(String.valueOf(refused.getMessage()).contains(reason), refused::getMessage);
    }

    private static HashList list(long... hashes) {
        return Hashes.of(CANARIES, hashes);
    }
}
