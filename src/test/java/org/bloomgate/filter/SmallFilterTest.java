package org.bloomgate.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallFilterTest {
    private static SmallFilter of(int keys) {
        return new SmallFilter(MemorySegment.ofArray(new byte[SmallFilter.bytes(keys)]));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 32, 33, 10_000})
    void whatWasAddedIsInIt(int keys) {
        SmallFilter filter = of(keys);
        new Random(keys).longs(keys).forEach(filter::add);
        assertTrue(new Random(keys).longs(keys).allMatch(filter::mightContain));
    }

    @Test
    void aboutOneOfAThousandOthersIsTakenForAKey() {
        SmallFilter filter = of(10_000);
        new Random(1).longs(10_000).forEach(filter::add);
        long taken = new Random(2).longs(1_000_000).filter(filter::mightContain).count();
        assertTrue(taken < 1_500, () -> taken + " of 1,000,000");
    }

    @Test
    void withoutAKeyItHoldsNothing() {
        assertEquals(0, new Random(3).longs(10_000).filter(of(0)::mightContain).count());
    }

    @Test
    void halfALineIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new SmallFilter(MemorySegment.ofArray(new byte[96])));
        assertThrows(IllegalArgumentException.class, () -> new SmallFilter(MemorySegment.ofArray(new byte[0])));
    }
}
