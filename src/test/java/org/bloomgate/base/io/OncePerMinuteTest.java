package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OncePerMinuteTest {
    private final OncePerMinute once = new OncePerMinute();

    @Test
    void aPlaceIsDueAMinuteLater() {
        assertTrue(once.isDue("a", 0));
        assertFalse(once.isDue("a", 59_999));
        assertTrue(once.isDue("b", 59_999));
        assertTrue(once.isDue("a", 60_000));
        assertFalse(once.isDue("a", 60_001));
    }

    @Test
    void theOldestPlaceIsForgotten() {
        for (int place = 0; place <= OncePerMinute.MAX_PLACES; place++) {
            assertTrue(once.isDue("place " + place, 0));
        }
        assertTrue(once.isDue("place 0", 0));
        assertFalse(once.isDue("place " + OncePerMinute.MAX_PLACES, 0));
    }
}
