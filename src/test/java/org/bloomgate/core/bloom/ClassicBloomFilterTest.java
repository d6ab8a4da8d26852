package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassicBloomFilterTest {

    @ParameterizedTest
    @CsvSource({
        "1000000, 0.01, 1.198, 7",
        "100000000, 0.01, 119.81, 7",
        "10000000, 0.001, 17.97, 10",
        "1000000, 0.0001, 2.396, 13",
        "100000000, 1e-8, 479.25, 27"
    })
    void sizesAreThoseOfTheFormula(long entries, double rate, double megabytes, int probes) {
        long bits = ClassicBloomFilter.optimalBits(entries, rate);
        assertEquals(megabytes, bits / 8e6, 0.005);
        assertEquals(probes, ClassicBloomFilter.optimalProbes(bits, entries));
    }

    @Test
    void aMillionKeysAtOnePercent() {
        ClassicBloomFilter filter = ClassicBloomFilter.of(1_000_000, 0.01);
        assertEquals(9_585_059, filter.bits());
        assertEquals(7, filter.probes());
        assertEquals(0.010039, ClassicBloomFilter.predictedRate(filter.bits(), 7, 1_000_000), 1e-6);
    }

    @ParameterizedTest
    @CsvSource({"1000, 3, 800, 0.752", "10000, 7, 1000, 0.0082", "10000, 3, 1000, 0.0174", "10000, 11, 1000, 0.0116"})
    void ratesAreThoseOfTheFormula(long bits, int probes, long entries, double rate) {
        assertEquals(rate, ClassicBloomFilter.predictedRate(bits, probes, entries), rate * 0.005);
    }

    @Test
    void anOverloadedFilterIsNearlyAllOnes() {
        double fill = 1 - Math.exp(-3.0 * 800 / 1000);
        assertEquals(0.909, fill, 0.0005);
        assertEquals(Math.pow(fill, 3), ClassicBloomFilter.predictedRate(1000, 3, 800), 1e-12);
    }

    @Test
    void threeProbesForOnePercentOfEightHundredKeysNeed9892Bits() {
        assertTrue(ClassicBloomFilter.predictedRate(9892, 3, 800) <= 0.01);
        assertTrue(ClassicBloomFilter.predictedRate(9891, 3, 800) > 0.01);
    }

    @Test
    void theMeasuredRateIsThePredictedOne() {
        ClassicBloomFilter filter = ClassicBloomFilter.of(100_000, 0.01);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            filter.add(random.nextLong());
        }
        int hits = 0;
        for (int i = 0; i < 1_000_000; i++) {
            hits += filter.mightContain(random.nextLong()) ? 1 : 0;
        }
        assertEquals(0.010039, hits / 1e6, 0.0005);
    }

    @Test
    void withoutEntriesThereIsStillAFilterThatAnswersNo() {
        assertEquals(false, ClassicBloomFilter.of(0, 0.01).mightContain(42));
    }
}
