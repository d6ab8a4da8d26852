package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterSizingTest {

    @ParameterizedTest
    @CsvSource({"1e-2, 9.67, 6, 1.01", "1e-3, 14.63, 10, 1.02", "1e-4, 19.84, 12, 1.035", "1e-6, 31.09, 18, 1.085"})
    void bitsPerKeyAreThoseOfThePoissonMixture(double rate, double bitsPerKey, int k, double overOptimum) {
        FilterSizing sizing = FilterSizing.twoLine(1_000_000, rate);
        double found = 512.0 * sizing.lines() / 1_000_000;
        assertEquals(bitsPerKey, found, 0.01);
        assertEquals(k, sizing.bitsPerKey());
        double optimum = -Math.log(rate) / (Math.log(2) * Math.log(2));
        assertTrue(found <= overOptimum * optimum, found + " bits, optimum " + optimum);
    }

    /// Nothing is added to a snapshot, so that it is exactly as large as its rate asks for.
    @Test
    void withoutHeadroomTheCapacityIsTheNumberOfKeys() {
        FilterSizing sizing = FilterSizing.of(1_000_000, 1e-6);
        assertEquals(1_000_000, sizing.capacity());
        assertEquals(FilterLayout.LINE_FUSE, sizing.layout());
        assertEquals(23.9, 8.0 * sizing.bodyBytes() / 1_000_000, 0.1);
        assertEquals(0.95e-6, sizing.predictedRate(1_000_000), 0.05e-6);
    }

    @ParameterizedTest
    @CsvSource({
        "1000000, 1e-6, LINE_FUSE, 24.3",
        "1048576, 1e-6, LINE_FUSE, 24.3",
        "1048577, 1e-6, LINE_FUSE, 24.5",
        "10000000, 1e-6, LINE_FUSE, 24.5",
        "100000000, 1e-6, LINE_FUSE, 24.5",
        "1000000000, 1e-6, LINE_FUSE, 24.5",
        "100000000, 1e-9, LINE_FUSE, 42",
        "10000, 1e-6, LINE_FUSE, 29",
        "1000000, 1e-2, TWO_LINE, 9.7",
        "1000000, 1e-4, TWO_LINE, 19.9",
        "1000000, 1e-5, LINE_FUSE, 24.3",
        "1, 1e-6, TWO_LINE, 1024",
        "0, 1e-6, TWO_LINE, 0"
    })
    void theSmallerLayoutIsTaken(long entries, double rate, FilterLayout layout, double mostBitsPerKey) {
        FilterSizing sizing = FilterSizing.of(entries, rate);
        assertEquals(layout, sizing.layout());
        assertTrue(entries == 0 || sizing.bodyBytes() * 8.0 / entries <= mostBitsPerKey, sizing.toString());
        assertTrue(sizing.predictedRate(entries) <= rate);
        assertTrue(sizing.bodyBytes() <= FilterSizing.twoLine(entries, rate).bodyBytes());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 10",
        "1, 33, 10",
        "1, 4, 1048577",
        "3, 4, 1048577",
        "65536, 4, 68719476737",
        "1, 4, -1",
        "0, 4, 1"
    })
    void linesThatShardsWouldShareAndMoreKeysThanAllowedAreRefused(long lines, int bitsPerKey, long capacity) {
        assertThrows(IllegalArgumentException.class, () -> lineFuse(lines, bitsPerKey, capacity));
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 10", "1, 32, 10", "1, 4, 1048576", "2, 4, 1048577", "65536, 4, 68719476736", "1, 4, 0"})
    void whatIsAtTheBoundsIsTaken(long lines, int bitsPerKey, long capacity) {
        assertEquals(lines, lineFuse(lines, bitsPerKey, capacity).lines());
    }

    private static FilterSizing lineFuse(long lines, int bitsPerKey, long capacity) {
        return new FilterSizing(FilterLayout.LINE_FUSE, lines, bitsPerKey, capacity, 1e-6);
    }

    @Test
    void fewerKeysLowerTheRateAndOverloadRaisesIt() {
        FilterSizing sizing = FilterSizing.twoLine(1_300_000, 1e-4);
        assertEquals(1_300_000, sizing.capacity());
        assertEquals(1e-4, sizing.predictedRate(1_300_000), 1e-6);
        assertEquals(1.1e-5, sizing.predictedRate(1_000_000), 0.1e-5);
        assertEquals(2.2e-4, sizing.predictedRate(1_430_000), 0.1e-4);
        assertEquals(8e-4, sizing.predictedRate(1_690_000), 0.5e-4);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -0.1, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
    void ratesOutsideZeroToOneAreRefused(double rate) {
        assertThrows(IllegalArgumentException.class, () -> FilterSizing.of(1000, rate));
        assertThrows(IllegalArgumentException.class, () -> new FilterSizing(FilterLayout.TWO_LINE, 1, 2, 0, rate));
        assertThrows(IllegalArgumentException.class, () -> ClassicBloomFilter.of(1000, rate));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, (1L << 52) + 1, Long.MAX_VALUE})
    void entriesOutOfRangeAreRefused(long entries) {
        assertThrows(IllegalArgumentException.class, () -> FilterSizing.twoLine(entries, 0.01));
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 0", "1, 1", "1, 3", "1, 34"})
    void linesAndBitsOutOfRangeAreRefused(long lines, int bitsPerKey) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new FilterSizing(FilterLayout.TWO_LINE, lines, bitsPerKey, 10, 0.01));
    }

    @Test
    void noEntriesGiveOneLineAndNoFalsePositive() {
        FilterSizing sizing = FilterSizing.of(0, 1e-6);
        assertEquals(1, sizing.lines());
        assertEquals(0, sizing.predictedRate(0));
    }

    @ParameterizedTest
    @CsvSource({"1, 1e-6", "20, 1e-6", "1, 0.99", "1000, 0.5", "1000000, 1e-9", "100000000, 1e-2", "10000000000, 1e-6"})
    void anySizeKeepsItsTargetAndOneLineLessWouldNot(long entries, double rate) {
        FilterSizing sizing = FilterSizing.twoLine(entries, rate);
        assertTrue(sizing.predictedRate(entries) <= rate);
        assertTrue(sizing.lines() == 1
                || new FilterSizing(FilterLayout.TWO_LINE, sizing.lines() - 1, sizing.bitsPerKey(), entries, rate)
                                .predictedRate(entries)
                        > rate);
    }

    @Test
    void hundredMillionKeysAreAboveTheSizesOfAnInt() {
        FilterSizing sizing = FilterSizing.twoLine(1_300_000_000, 1e-6);
        assertEquals(5.05e9, sizing.bodyBytes() / 1.0, 0.01e9);
        assertEquals(322e6, FilterSizing.twoLine(130_000_000, 1e-4).bodyBytes() / 1.0, 1e6);
        assertEquals(505e6, FilterSizing.twoLine(130_000_000, 1e-6).bodyBytes() / 1.0, 1e6);
    }
}
