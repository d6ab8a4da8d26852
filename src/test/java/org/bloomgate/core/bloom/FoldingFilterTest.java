package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Folding and union, compared with exact sets.
class FoldingFilterTest {
    private static final int KIND = 201;
    private static final long SEED = 42;
    private static final Instant DAY = Instant.parse("2026-01-08T00:00:00Z");
    private static final int PROBES = 200_000;

    private final SplittableRandom random = new SplittableRandom(11);

    private Set<Long> draw(long keys) {
        Set<Long> drawn = new HashSet<>();
        while (drawn.size() < keys) {
            drawn.add(random.nextLong());
        }
        return drawn;
    }

    private static FoldingFilter filter(int shape, Set<Long> keys) {
        FoldingFilter filter = new FoldingFilter(shape);
        keys.forEach(filter::add);
        return filter;
    }

    private static byte[] file(FoldingFilter filter) {
        return filter.toFile(KIND, 1, SEED, DAY);
    }

    private double measure(FoldingFilter filter, Set<Long> keys) {
        int hits = 0;
        for (int i = 0; i < PROBES; i++) {
            long probe = random.nextLong();
            hits += filter.mightContain(probe) && !keys.contains(probe) ? 1 : 0;
        }
        return (double) hits / PROBES;
    }

    @Test
    void fold_anyPairOfShapes_equalsFilterBuiltSmall() {
        for (int from = FoldingFilter.MIN_SHAPE; from <= 14; from++) {
            for (int to = FoldingFilter.MIN_SHAPE; to <= from; to++) {
                Set<Long> keys = draw(1 + random.nextLong(FoldingFilter.capacity(to)));
                FoldingFilter folded = filter(from, keys).foldTo(to);
                assertEquals(to, folded.shape());
                assertTrue(keys.stream().allMatch(folded::mightContain), from + " to " + to);
                assertArrayEquals(file(filter(to, keys)), file(folded), from + " to " + to);
            }
        }
    }

    @Test
    void fold_largestShape_losesNoKey() {
        Set<Long> keys = draw(3_000);
        FoldingFilter folded = filter(FoldingFilter.MAX_SHAPE, keys).foldToSmallest();
        assertEquals(FoldingFilter.shapeFor(3_000), folded.shape());
        assertTrue(keys.stream().allMatch(folded::mightContain));
    }

    @Test
    void foldToSmallest_anyNumberOfKeys_isNotOverfull() throws FilterRefusedException {
        for (int i = 0; i < 50; i++) {
            Set<Long> keys = draw(random.nextLong(1, 10_000));
            FoldingFilter folded = filter(12, keys).foldToSmallest();
            assertTrue(folded.predictedRate() <= FoldingFilter.MAX_RATE);
            assertTrue(folded.shape() == FoldingFilter.MIN_SHAPE
                    || folded.foldTo(folded.shape() - 1).isOverfull());
            FoldingFilter _ = FoldingFilter.ofFile(file(folded), KIND, 1, SEED, DAY);
        }
    }

    @Test
    void unite_anyPairOfShapes_containsBothAndIsCommutative() {
        for (int left = FoldingFilter.MIN_SHAPE; left <= 13; left++) {
            for (int right = FoldingFilter.MIN_SHAPE; right <= 13; right++) {
                Set<Long> ofLeft = draw(random.nextInt(1, 1_000));
                Set<Long> ofRight = draw(random.nextInt(1, 1_000));
                FoldingFilter one = filter(left, ofLeft);
                FoldingFilter other = filter(right, ofRight);
                FoldingFilter united = one.unite(other);
                Set<Long> all = new HashSet<>(ofLeft);
                all.addAll(ofRight);
                assertTrue(all.stream().allMatch(united::mightContain), left + " and " + right);
                assertArrayEquals(file(filter(Math.min(left, right), all)), file(united));
                assertArrayEquals(file(united), file(other.unite(one)));
                assertArrayEquals(file(united), file(united.unite(one).unite(other)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"6, 1000", "6, 2200", "9, 10000", "9, 17000", "12, 100000"})
    void filter_randomKeys_hasPredictedFillAndRate(int shape, int count) {
        Set<Long> keys = draw(count);
        FoldingFilter filter = filter(shape + 2, keys).foldTo(shape);
        assertEquals(count, (double) filter.keys(), 0.02 * count);
        assertEquals(1 - Math.exp(-10.0 * count / (512 << shape)), filter.fill(), 0.005);
        double predicted = FoldingFilter.predictedRate(shape, count);
        assertEquals(predicted, measure(filter, keys), 5 * Math.sqrt(predicted / PROBES));
        assertEquals(predicted, filter.predictedRate(), 0.1 * predicted);
    }

    @Test
    void capacity_isWhereTheRateReachesItsBound() {
        for (int shape = FoldingFilter.MIN_SHAPE; shape <= FoldingFilter.MAX_SHAPE; shape++) {
            long keys = FoldingFilter.capacity(shape);
            assertTrue(FoldingFilter.predictedRate(shape, keys) <= FoldingFilter.MAX_RATE);
            assertTrue(FoldingFilter.predictedRate(shape, keys + 1 + keys / 1_000) > FoldingFilter.MAX_RATE);
            assertEquals(shape, FoldingFilter.shapeFor(keys));
            assertEquals(Math.min(shape + 1, FoldingFilter.MAX_SHAPE), FoldingFilter.shapeFor(keys + 1));
        }
    }

    @Test
    void addTo_untilFull_beginsAnotherPart() {
        List<FoldingFilter> parts = List.of();
        Set<Long> all = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            Set<Long> keys = draw(900);
            all.addAll(keys);
            parts = FoldingFilter.addTo(parts, filter(7 - i % 2, keys));
        }
        assertEquals(3, parts.size());
        for (FoldingFilter part : parts) {
            assertFalse(part.isOverfull());
        }
        List<FoldingFilter> united = parts;
        assertTrue(all.stream().allMatch(key -> united.stream().anyMatch(part -> part.mightContain(key))));
    }

    @Test
    void file_readAgain_isEqual() throws FilterRefusedException {
        FoldingFilter filter = filter(8, draw(5_000));
        byte[] file = file(filter);
        assertArrayEquals(file, file(FoldingFilter.ofFile(file, KIND, 1, SEED, DAY)));
    }

    @Test
    void file_damagedOrForeign_isRefused() {
        FoldingFilter filter = filter(6, draw(1_000));
        byte[] file = file(filter);
        for (int i = 0; i < 200; i++) {
            byte[] damaged = file.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            assertRefused(damaged, SEED, DAY);
        }
        assertRefused(Arrays.copyOf(file, file.length - 1), SEED, DAY);
        assertRefused(file, SEED + 1, DAY);
        assertRefused(file, SEED, DAY.plusSeconds(86_400));
        assertRefused(file(filter(6, draw(FoldingFilter.capacity(6) + 200))), SEED, DAY);
        assertRefused(
                Filters.file(Filters.onHeap(new FilterParameters(KIND, 1, SEED, FilterSizing.twoLine(2_000, 1e-3), DAY))
                        .finish()),
                SEED,
                DAY);
    }

    private static void assertRefused(byte[] file, long seed, Instant createdAt) {
        assertThrows(FilterRefusedException.class, () -> FoldingFilter.ofFile(file, KIND, 1, seed, createdAt));
    }
}
