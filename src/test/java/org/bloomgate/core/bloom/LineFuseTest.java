package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The layout of one line and a fuse filter.
class LineFuseTest {
    /// Two shards.
    private static final int MANY = FuseShape.KEYS + 1;

    private static FilterParameters parameters(long keys) {
        return Filters.parameters(FilterSizing.lineFuse(keys, 1e-6));
    }

    private static BloomFilter random(int keys, long seed) {
        return of(keys, keys(seed, keys));
    }

    private static long[] keys(long seed, int keys) {
        return new SplittableRandom(seed).longs(keys).toArray();
    }

    private static BloomFilter of(long capacity, long... keys) {
        BloomFilterBuilder builder = Filters.onHeap(parameters(capacity));
        for (long key : keys) {
            builder.add(key);
        }
        return builder.finish();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 10, 99, 1000, 65_537, MANY})
    void insertedKeys_areFoundAndHardlyAnyOther(int keys) {
        BloomFilter filter = random(keys, keys);
        for (long key : keys(keys, keys)) {
            assertTrue(filter.mightContain(key));
        }
        int[] suspects = new int[keys];
        assertEquals(keys, filter.suspects(keys(keys, keys), keys, suspects));
        assertArrayEquals(IntStream.range(0, keys).toArray(), suspects);
        assertTrue(filter.measuredRate(200_000, new SplittableRandom(-1)) < 3e-5);
    }

    /// A rate that can be counted: one bit of a line for each key, which nearly every absent key passes.
    @Test
    void measuredRate_isThePredictedOne() {
        FilterSizing sizing = new FilterSizing(FilterLayout.LINE_FUSE, 20, 1, 100_000, 1e-4);
        BloomFilterBuilder builder = Filters.onHeap(Filters.parameters(sizing));
        for (long key : keys(1, 100_000)) {
            builder.add(key);
        }
        BloomFilter filter = builder.finish();
        assertEquals(0x1p-16, filter.header().predictedRate(), 0x1p-20);
        assertEquals(0x1p-16, filter.measuredRate(2_000_000, new SplittableRandom(2)), 0.4 * 0x1p-16);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 4000})
    void batch_givesTheResultsOfSingleQueries(int count) {
        BloomFilter filter = random(3000, 3);
        long[] hashes = keys(4, 5000);
        System.arraycopy(keys(3, 3000), 0, hashes, 1000, 1500);
        int[] suspects = new int[count];
        int[] expected = IntStream.range(0, count)
                .filter(i -> filter.mightContain(hashes[i]))
                .toArray();
        assertArrayEquals(expected, Arrays.copyOf(suspects, filter.suspects(hashes, count, suspects)));
        assertEquals(Math.clamp(count - 1000, 0, 1500), expected.length);
    }

    @Test
    void orderOfKeys_doesNotChangeTheFile() {
        long[] keys = keys(5, 50_000);
        byte[] file = Filters.file(of(keys.length, keys));
        Arrays.sort(keys);
        assertArrayEquals(file, Filters.file(of(keys.length, keys)));
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "1000000000, 3"})
    void numberOfThreads_doesNotChangeTheFile(long memoryBytes, int parts) {
        long[] keys = keys(6, MANY);
        BloomFilterBuilder bulk = Filters.onHeap(parameters(MANY));
        try (ExecutorService threads = Executors.newFixedThreadPool(parts)) {
            bulk.inBulk(memoryBytes, BulkInsertionTest.parallel(threads, parts));
            for (long key : keys) {
                bulk.add(key);
            }
            assertEquals(-1, bulk.finish().file().mismatch(of(MANY, keys).file()));
        }
    }

    /// Two keys of a hundred million have the same hash once in four thousand sets.
    @Test
    void equalHashes_areOneKey() {
        long[] keys = keys(7, 2000);
        System.arraycopy(keys, 0, keys, 1000, 900);
        BloomFilter filter = of(2000, keys);
        for (long key : keys) {
            assertTrue(filter.mightContain(key));
        }
        assertEquals(2000, filter.header().inserted());
        assertTrue(filter.measuredRate(100_000, new SplittableRandom(8)) < 1e-4);
        BloomFilter same = of(2000, 1, 1, 1, 1, 1);
        assertTrue(same.mightContain(1));
        assertFalse(same.mightContain(2));
    }

    /// A size of which every place would be taken is the hardest: then the next key makes it a piece longer.
    @ParameterizedTest
    @CsvSource({"3, 3000, 1", "3000, 16000, 3", "16000, 60000, 31", "110000, 150000, 47"})
    void fullestShardOfEachSize_isBuiltInFewAttempts(int from, int to, int step) {
        List<Integer> fullest = IntStream.range(from, to)
                .filter(n -> FuseShape.of(n).places() != FuseShape.of(n + 1L).places())
                .boxed()
                .toList();
        for (int i = 0; i < fullest.size(); i += step) {
            int count = fullest.get(i);
            int attempts = 0;
            for (int set = 0; set < 3; set++) {
                attempts += new FuseShard(FuseShape.of(count)).build(set, keys(count + set, count), count);
            }
            assertTrue(attempts <= 12, attempts + " attempts in vain of three sets of " + count);
        }
    }

    @Test
    void keyBeyondCapacity_isRejected() {
        BloomFilterBuilder builder = Filters.onHeap(parameters(10));
        for (long key : keys(9, 10)) {
            builder.add(key);
        }
        builder.add(11);
        assertThrows(FilterFullException.class, builder::finish);
        builder.close();
        assertThrows(IllegalStateException.class, builder::finish);
    }

    /// As many as it is made for, but all of one shard.
    @Test
    void keysBeyondAShard_areRejected() {
        try (BloomFilterBuilder builder = Filters.onHeap(parameters(MANY))) {
            for (int i = 0; i < FuseShape.of(MANY).keysPerShard(); i++) {
                builder.add(i);
            }
            assertThrows(FilterFullException.class, () -> {
                for (int i = 0; i < 1 << 11; i++) {
                    builder.add(i);
                }
                builder.finish();
            });
        }
    }

    @Test
    void lowestAndHighestHash_stayInside() {
        long[] keys = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1, 1L << 32, -1L << 32};
        BloomFilter filter = of(3L * FuseShape.KEYS, keys);
        for (long key : keys) {
            assertTrue(filter.mightContain(key));
        }
        assertFalse(filter.mightContain(2));
    }

    @Test
    void keysOfTwoShards_shareNoLine() {
        FilterSizing sizing = FilterSizing.lineFuse(5L * FuseShape.KEYS, 1e-6);
        FuseShape shape = sizing.fuse();
        assertEquals(5, shape.shards());
        long perShard = sizing.lineBytes() / shape.shards();
        SplittableRandom random = new SplittableRandom(10);
        for (int i = 0; i < 100_000; i++) {
            long key = random.nextLong();
            assertEquals(shape.shard(key), TwoLine.line(key, sizing.lines()) / perShard);
        }
    }

    @Test
    void placesOfAKey_areInThreeSuccessivePieces() {
        FuseShape shape = FuseShape.of(1000);
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 100_000; i++) {
            long word = i < 2 ? -i : random.nextLong();
            int first = shape.place(0, word);
            int second = shape.place(1, word);
            int third = shape.place(2, word);
            assertTrue(first >= 0 && first < shape.firstPlaces());
            assertEquals(first / shape.piece() + 1, second / shape.piece());
            assertEquals(first / shape.piece() + 2, third / shape.piece());
        }
    }

    @Test
    void keyThatDiffersInOneBit_isNotFound() {
        for (long key : keys(12, 50)) {
            BloomFilter filter = of(1000, key);
            for (int bit = 0; bit < Long.SIZE; bit++) {
                assertFalse(filter.mightContain(key ^ 1L << bit), "bit " + bit + " of " + key);
            }
        }
    }

    private static byte[] twoKeys() {
        BloomFilterBuilder builder = Filters.onHeap(parameters(2));
        Filters.add(builder, "bad.example");
        Filters.add(builder, "evil.test");
        return Filters.file(builder.finish());
    }

    /// Fingerprints, places and sizes were also computed outside of Java.
    @Test
    void fileOfTwoKeys_hasTheGoldenBytes() throws Exception {
        try (InputStream golden = LineFuseTest.class.getResourceAsStream("/snapshots/two-keys-fuse.bloom.hex")) {
            assertEquals(
                    new String(golden.readAllBytes(), StandardCharsets.US_ASCII), FilterFormatTest.dump(twoKeys()));
        }
    }

    @Test
    void writtenFile_isOpened() throws Exception {
        BloomFilter filter = FilterFormatTest.open(twoKeys());
        assertEquals(parameters(2), filter.header().parameters());
        assertEquals(2, filter.header().inserted());
        assertTrue(Filters.asks(filter, "evil.test"));
        assertFalse(Filters.asks(filter, "good.example"));
    }

    @Test
    void flippedBit_isRejected() {
        FilterFormatTest.assertFlippedBitsAreRejected(twoKeys());
    }

    /// A forged header under a checksum that is right.
    @ParameterizedTest
    @CsvSource({
        "8, 1, layout",
        "16, 1, layout",
        "48, 0, k 0",
        "48, 33, k 33",
    })
    void wrongIntUnderValidChecksum_isRejected(int at, int value, String reason) {
        byte[] file = twoKeys();
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        FilterFormatTest.refusedFor(reason, FilterFormatTest.signed(file));
    }

    @ParameterizedTest
    @CsvSource({
        "40, 0, lines",
        "40, 2, lines",
        "40, 70368744177665, lines",
        "64, -1, capacity",
        "64, 100, body",
        "64, 1048577, capacity",
        "64, 68719476737, capacity",
        "64, 9223372036854775807, capacity",
        "80, 513, bits set",
        "96, 64, body"
    })
    void wrongLongUnderValidChecksum_isRejected(int at, long value, String reason) {
        byte[] file = twoKeys();
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
        FilterFormatTest.refusedFor(reason, FilterFormatTest.signed(file));
    }

    /// Whatever stands in the body, an answer is given and nothing outside is read.
    @Test
    void randomBody_isQueriedWithinBounds() throws Exception {
        byte[] file = twoKeys();
        new SplittableRandom(13).nextBytes(file);
        byte[] whole = twoKeys();
        System.arraycopy(whole, 0, file, 0, FilterFormat.HEADER_BYTES);
        Arrays.fill(file, FilterFormat.HEADER_BYTES, FilterFormat.HEADER_BYTES + 64, (byte) -1);
        FilterHeader header = FilterFormat.readHeader(MemorySegment.ofArray(file));
        BloomFilter filter = new BloomFilter(MemorySegment.ofArray(file), header);
        assertTrue(filter.measuredRate(100_000, new SplittableRandom(14)) < 1e-3);
    }
}
