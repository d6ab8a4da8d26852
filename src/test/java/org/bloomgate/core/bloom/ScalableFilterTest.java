package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalableFilterTest {

    @Test
    void addingTellsWhetherTheKeyIsNew() {
        ScalableFilter filter = new ScalableFilter(100, 1e-6);
        assertFalse(filter.mightContain(42));
        assertTrue(filter.add(42));
        assertFalse(filter.add(42));
        assertTrue(filter.mightContain(42));
        assertEquals(1, filter.keys());
    }

    @ParameterizedTest
    @CsvSource({"1, 1e-3, 20000", "100, 1e-2, 100000", "1000, 1e-4, 100000", "100000, 0.5, 50000"})
    void noKeyIsForgottenWhileItGrowsAndTheRateStaysBelowTheBound(long first, double rate, int keys) {
        ScalableFilter filter = new ScalableFilter(first, rate);
        SplittableRandom random = new SplittableRandom(first);
        Set<Long> oracle = new HashSet<>();
        int takenForOld = 0;
        while (oracle.size() < keys) {
            long key = random.nextLong();
            oracle.add(key);
            takenForOld += filter.add(key) ? 0 : 1;
        }
        for (long key : oracle) {
            assertTrue(filter.mightContain(key));
            assertFalse(filter.add(key));
        }
        assertEquals(keys, filter.keys() + takenForOld);
        assertTrue(filter.predictedRate() <= rate, "predicted " + filter.predictedRate());
        int hits = 0;
        for (int i = 0; i < 200_000; i++) {
            hits += filter.mightContain(random.nextLong()) ? 1 : 0;
        }
        assertTrue(hits <= 200_000 * rate + 4 * Math.sqrt(200_000 * rate) + 2, hits + " hits");
    }

    @Test
    void theRateReachesNearlyHalfTheBoundBeforeItGrows() {
        ScalableFilter filter = new ScalableFilter(10_000, 1e-2);
        SplittableRandom random = new SplittableRandom(1);
        while (filter.keys() < 9_999) {
            filter.add(random.nextLong());
        }
        long bytes = filter.memoryBytes();
        assertEquals(5e-3, filter.predictedRate(), 1e-4);
        filter.add(random.nextLong());
        assertTrue(filter.memoryBytes() > 2 * bytes, "grown");
    }

    /// Every key is offered by two threads at once, over several doublings.
    @Test
    void ofTwoThreadsAtLeastOneIsToldThatAKeyIsNew() throws Exception {
        int keys = 60_000;
        ScalableFilter filter = new ScalableFilter(64, 1e-9);
        long[] hashes = new SplittableRandom(2).longs(keys).toArray();
        CyclicBarrier start = new CyclicBarrier(2);
        boolean[][] isNew = new boolean[2][];
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<boolean[]> one = threads.submit(() -> offer(filter, hashes, start));
            Future<boolean[]> two = threads.submit(() -> offer(filter, hashes, start));
            isNew[0] = one.get();
            isNew[1] = two.get();
        }
        for (int i = 0; i < keys; i++) {
            assertTrue(isNew[0][i] || isNew[1][i], "key " + i + " was new for nobody");
            assertTrue(filter.mightContain(hashes[i]));
            assertFalse(filter.add(hashes[i]));
        }
    }

    private static boolean[] offer(ScalableFilter filter, long[] hashes, CyclicBarrier start) throws Exception {
        boolean[] isNew = new boolean[hashes.length];
        start.await();
        for (int i = 0; i < hashes.length; i++) {
            isNew[i] = filter.add(hashes[i]);
        }
        return isNew;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -1, 2, Double.NaN})
    void ratesOutsideZeroToOneAreRefused(double rate) {
        assertThrows(IllegalArgumentException.class, () -> new ScalableFilter(10, rate));
    }

    @Test
    void aFirstCapacityBelowOneIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new ScalableFilter(0, 0.01));
    }
}
