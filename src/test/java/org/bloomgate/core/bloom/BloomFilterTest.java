package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BloomFilterTest {

    @Test
    void anEmptyFilterAnswersNo() {
        BloomFilter filter = Filters.onHeap(0, 1e-6).finish();
        assertEquals(0, filter.measuredRate(10_000, new SplittableRandom(1)));
        assertEquals(0, filter.header().setBits());
        assertEquals(0, filter.header().predictedRate());
    }

    @Test
    void aKeyInsertedTwiceCountsTwiceAndSetsNoFurtherBit() {
        BloomFilterBuilder once = Filters.onHeap(100, 1e-6);
        BloomFilterBuilder twice = Filters.onHeap(100, 1e-6);
        Filters.add(once, "bad.example");
        Filters.add(twice, "bad.example");
        Filters.add(twice, "bad.example");
        FilterHeader header = twice.finish().header();
        assertEquals(2, header.inserted());
        assertEquals(once.finish().header().setBits(), header.setBits());
    }

    @Test
    void keysAskedWithAnotherSeedAreNotFound() {
        BloomFilterBuilder builder = Filters.onHeap(1000, 1e-6);
        for (int i = 0; i < 1000; i++) {
            Filters.add(builder, "host" + i + ".example");
        }
        BloomFilter filter = builder.finish();
        KeyHash other = new KeyHash(Filters.SEED + 1);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = ("host" + i + ".example").getBytes(StandardCharsets.UTF_8);
            assertFalse(filter.mightContain(other.hash(bytes, 0, bytes.length)));
        }
    }

    @ParameterizedTest
    @CsvSource({"1e-2, 1000000, 0.03", "1e-3, 2000000, 0.08", "1e-4, 5000000, 0.13"})
    void theMeasuredRateIsThePredictedOne(double rate, long probes, double tolerance) {
        BloomFilter filter = random(100_000, rate, 3);
        assertEquals(rate, filter.header().predictedRate(), rate * 0.01);
        assertEquals(rate, filter.measuredRate(probes, new SplittableRandom(4)), rate * tolerance);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 20, 60, 200})
    void fewKeysKeepTheRateToo(int entries) {
        BloomFilter filter = random(entries, 1e-3, entries);
        assertTrue(filter.measuredRate(200_000, new SplittableRandom(5)) < 1.6e-3);
    }

    @Test
    void fillIsAboutOneHalfAtCapacity() {
        BloomFilter filter = random(100_000, 1e-2, 6);
        assertEquals(0.5, filter.header().fill(), 0.05);
        assertEquals(9.67, filter.header().bitsPerEntry(), 0.02);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 14, 16, 30, 32})
    void everyNumberOfBitsPerKeyReachesAllWordsOfALine(int bitsPerKey) {
        BloomFilterBuilder builder =
                Filters.onHeap(Filters.parameters(new FilterSizing(FilterLayout.TWO_LINE, 2, bitsPerKey, 5000, 0.5)));
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 5000; i++) {
            builder.add(random.nextLong());
        }
        assertEquals(2 * 512, builder.finish().header().setBits());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 128, 129, 4000})
    void aBatchGivesWhatSingleQueriesGive(int count) {
        BloomFilter filter = random(20_000, 0.1, 8);
        long[] hashes = new SplittableRandom(9).longs(5000).toArray();
        int[] suspects = new int[count];
        int[] expected = IntStream.range(0, count)
                .filter(i -> filter.mightContain(hashes[i]))
                .toArray();
        int found = filter.suspects(hashes, count, suspects);
        assertArrayEquals(expected, Arrays.copyOf(suspects, found));
        assertEquals(0.1 * count, found, 0.05 * count + 3);
    }

    @Test
    void aBatchOfNothingButInsertedKeysIsSuspectedWhole() {
        BloomFilter filter = random(1000, 1e-6, 12);
        long[] hashes = new SplittableRandom(12).longs(1000).toArray();
        int[] suspects = new int[1000];
        assertEquals(1000, filter.suspects(hashes, 1000, suspects));
        assertArrayEquals(IntStream.range(0, 1000).toArray(), suspects);
    }

    @Test
    void twoThreadsFindEveryKey() throws Exception {
        BloomFilter filter = random(100_000, 1e-3, 10);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Integer> one = threads.submit(() -> found(filter, 10));
            Future<Integer> two = threads.submit(() -> found(filter, 10));
            assertEquals(100_000, one.get());
            assertEquals(100_000, two.get());
        }
    }

    /// One key by one, then all in batches.
    private static int found(BloomFilter filter, long seed) {
        long[] hashes = new SplittableRandom(seed).longs(100_000).toArray();
        int found = 0;
        for (long hash : hashes) {
            found += filter.mightContain(hash) ? 1 : 0;
        }
        assertEquals(found, filter.suspects(hashes, hashes.length, new int[hashes.length]));
        return found;
    }

    /// A filter that drops bits of the hash has a floor under its rate: 32 bits give 2.3 % at 100 million keys.
    @Test
    void everyBitOfTheHashCounts() {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 50; round++) {
            BloomFilterBuilder builder = Filters.onHeap(100_000, 1e-6);
            long key = random.nextLong();
            builder.add(key);
            BloomFilter filter = builder.finish();
            for (int bit = 0; bit < Long.SIZE; bit++) {
                assertFalse(filter.mightContain(key ^ 1L << bit), "bit " + bit + " of " + key);
            }
        }
    }

    @Test
    void nothingIsInsertedAfterTheEnd() {
        BloomFilterBuilder builder = Filters.onHeap(10, 0.01);
        builder.finish();
        assertThrows(IllegalStateException.class, () -> builder.add(1));
        assertThrows(IllegalStateException.class, builder::finish);
    }

    @Test
    void aSegmentOfAnotherSizeIsRefused() {
        FilterParameters parameters = Filters.parameters(FilterSizing.of(10, 0.01));
        MemorySegment tooShort = MemorySegment.ofArray(new byte[(int) parameters.fileBytes() - 1]);
        assertThrows(IllegalArgumentException.class, () -> new BloomFilterBuilder(tooShort, parameters));
    }

    @Test
    void aMeasurementNeedsProbes() {
        BloomFilter filter = Filters.onHeap(10, 0.01).finish();
        assertThrows(IllegalArgumentException.class, () -> filter.measuredRate(0, new SplittableRandom(1)));
    }

    private static BloomFilter random(int entries, double rate, long seed) {
        BloomFilterBuilder builder = Filters.onHeap(entries, rate);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < entries; i++) {
            builder.add(random.nextLong());
        }
        return builder.finish();
    }
}
