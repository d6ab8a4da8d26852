package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Random keys against a set.
class BloomFilterOracleTest {

    @ParameterizedTest
    @CsvSource({"1, 0.5, 1", "100, 1e-2, 2", "5000, 1e-6, 3", "50000, 1e-2, 4", "50000, 1e-3, 5", "20000, 0.9, 6"})
    void noKeyIsEverMissedAndFewOthersAreSuspected(int entries, double rate, long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Set<String> oracle = new HashSet<>();
        BloomFilterBuilder builder = Filters.onHeap(entries, rate);
        while (oracle.size() < entries) {
            String key = key(random);
            oracle.add(key);
            Filters.add(builder, key);
        }
        BloomFilter built = builder.finish();
        BloomFilter filter = FilterFormat.open(built.file(), Filters.KIND, Filters.CANONICAL_FORM);
        for (String key : oracle) {
            assertTrue(Filters.asks(filter, key), key);
        }
        int absent = 0;
        int suspected = 0;
        while (absent < 100_000) {
            String key = key(random);
            if (!oracle.contains(key)) {
                absent++;
                suspected += Filters.asks(filter, key) ? 1 : 0;
            }
        }
        double error = 5 * Math.sqrt(rate / absent) + 2.0 / absent;
        assertTrue(suspected <= absent * (rate + error), "two-line " + suspected);
    }

    private static String key(SplittableRandom random) {
        return Long.toString(random.nextLong(), 36) + ".example/" + random.nextInt(1000);
    }
}
