package org.bloomgate.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class FilterUnionTest {
    private static final FilterSizing SIZING = FilterSizing.of(2000, 1e-6, 1);

    @Test
    void theUnionOfPartsIsTheFilterBuiltAtOnce() {
        BloomFilterBuilder whole = Filters.onHeap(Filters.parameters(SIZING));
        BloomFilterBuilder left = Filters.onHeap(Filters.parameters(SIZING));
        BloomFilterBuilder right = Filters.onHeap(Filters.parameters(SIZING));
        for (int i = 0; i < 2000; i++) {
            Filters.add(whole, "h" + i + ".example");
            Filters.add(i < 700 ? left : right, "h" + i + ".example");
        }
        left.unite(right.finish());
        BloomFilter united = left.finish();
        BloomFilter atOnce = whole.finish();
        assertEquals(-1, united.file().mismatch(atOnce.file()));
        assertEquals(2000, united.header().inserted());
    }

    @Test
    void anotherSeedKindFormOrShapeIsRefusedAndChangesNothing() {
        Instant now = Instant.EPOCH;
        FilterSizing larger = new FilterSizing(SIZING.lines() + 1, SIZING.bitsPerKey(), 2000, 1e-6);
        FilterSizing sparser = new FilterSizing(SIZING.lines(), SIZING.bitsPerKey() - 2, 2000, 1e-6);
        refused(new FilterParameters(Filters.KIND, Filters.CANONICAL_FORM, Filters.SEED + 1, SIZING, now));
        refused(new FilterParameters(Filters.KIND + 1, Filters.CANONICAL_FORM, Filters.SEED, SIZING, now));
        refused(new FilterParameters(Filters.KIND, Filters.CANONICAL_FORM + 1, Filters.SEED, SIZING, now));
        refused(Filters.parameters(larger));
        refused(Filters.parameters(sparser));
    }

    private static void refused(FilterParameters parameters) {
        BloomFilterBuilder builder = Filters.onHeap(Filters.parameters(SIZING));
        BloomFilterBuilder other = Filters.onHeap(parameters);
        Filters.add(other, "bad.example");
        BloomFilter finished = other.finish();
        assertThrows(IllegalArgumentException.class, () -> builder.unite(finished));
        assertEquals(0, builder.finish().header().setBits());
    }

    @Test
    void aUnionAboveTheTargetRateIsFlagged() {
        BloomFilterBuilder one = Filters.onHeap(Filters.parameters(SIZING));
        BloomFilterBuilder other = Filters.onHeap(Filters.parameters(SIZING));
        for (int i = 0; i < 1500; i++) {
            Filters.add(one, "a" + i + ".example");
            Filters.add(other, "b" + i + ".example");
        }
        BloomFilter finished = other.finish();
        assertFalse(finished.header().aboveTarget());
        one.unite(finished);
        BloomFilter united = one.finish();
        assertEquals(3000, united.header().inserted());
        assertEquals(SIZING.predictedRate(3000), united.header().predictedRate());
        assertTrue(united.header().aboveTarget());
        assertTrue(Filters.asks(united, "a1.example") && Filters.asks(united, "b1499.example"));
    }
}
