package org.bloomgate.core.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    private static final int MEGABYTE = 1 << 20;

    private final SharedHeap shared = new SharedHeap(Allowance.MAX_HEAP_BYTES + MEGABYTE, Duration.ofMillis(1));
    private final AtomicLong keys = new AtomicLong(Allowance.MAX_HEAP_BYTES);
    private final Allowance allowance = create(shared);

    private Allowance create(SharedHeap heap) {
        return new Allowance(MessageLimits.defaults(), heap, keys);
    }

    @Test
    void heapAtItsBound_isTaken() {
        assertTrue(allowance.takeHeap(Limit.PDF_INFLATED, Allowance.MAX_HEAP_BYTES));
        assertEquals(Set.of(), allowance.reached());
    }

    @Test
    void heapBeyondItsBound_isTheLimitOfItsReader() {
        assertTrue(allowance.takeHeap(Limit.PDF_INFLATED, Allowance.MAX_HEAP_BYTES));
        assertFalse(allowance.takeHeap(Limit.PICTURE_PIXELS, 1));
        assertEquals(Set.of(Limit.PICTURE_PIXELS), allowance.reached());
    }

    @Test
    void heapBeyondThatOfTheProcess_isTheLimitOfItsReader() {
        Allowance small = create(new SharedHeap(MEGABYTE, Duration.ofMillis(1)));
        assertTrue(small.takeHeap(Limit.PDF_INFLATED, MEGABYTE));
        assertFalse(small.takeHeap(Limit.PICTURE_PIXELS, 1));
        assertEquals(Set.of(Limit.PICTURE_PIXELS), small.reached());
    }

    @Test
    void heapOfOthers_stopsTheReading() {
        Allowance other = create(shared);
        assertTrue(other.takeHeap(Limit.PDF_INFLATED, Allowance.MAX_HEAP_BYTES));
        assertTrue(allowance.takeHeap(Limit.PDF_INFLATED, MEGABYTE));
        ReadingStopped stopped =
                assertThrows(ReadingStopped.class, () -> allowance.takeHeap(Limit.PDF_INFLATED, MEGABYTE));
        assertEquals(ReadingStopped.Reason.HEAP, stopped.reason());
        other.heapBackTo(0);
        assertTrue(allowance.takeHeap(Limit.PDF_INFLATED, MEGABYTE));
    }

    @Test
    void heapThatIsKept_isTakenUntilItsRelease() {
        Allowance other = create(shared);
        assertTrue(other.keepHeap(Limit.KEYS, Allowance.MAX_HEAP_BYTES - MEGABYTE));
        assertTrue(other.takeHeap(Limit.PDF_INFLATED, MEGABYTE));
        assertFalse(other.keepHeap(Limit.KEYS, 1));
        assertEquals(Set.of(Limit.KEYS), other.reached());

        other.heapBackTo(0);
        assertTrue(allowance.takeHeap(Limit.PDF_INFLATED, 2 * MEGABYTE));
        assertThrows(ReadingStopped.class, () -> allowance.takeHeap(Limit.PDF_INFLATED, MEGABYTE));
        other.keptBackTo(0);
        assertTrue(allowance.takeHeap(Limit.PDF_INFLATED, MEGABYTE));
    }

    @Test
    void keysThatAreRefusedTheirHeap_takeNothing() {
        assertTrue(allowance.takeHeap(Limit.PDF_INFLATED, Allowance.MAX_HEAP_BYTES));
        assertFalse(allowance.keepHeap(Limit.KEYS, 1));
        assertEquals(Set.of(Limit.KEYS), allowance.reached());
        assertEquals(0, allowance.keptBytes());
        assertEquals(Allowance.MAX_HEAP_BYTES, keys.get());
    }

    @Test
    void growingText_paysBeforeItGrows() {
        GrowingText text = new GrowingText(allowance, Limit.PDF_INFLATED);
        String more = "x".repeat(MEGABYTE);
        for (int i = 0; i < 64; i++) {
            text.append(more);
        }
        assertEquals(Set.of(Limit.PDF_INFLATED), allowance.reached());
        assertTrue(text.toString().length() <= 8 * MEGABYTE);
        assertTrue(allowance.heap() <= Allowance.MAX_HEAP_BYTES);
    }

    @Test
    void draw_isFalseAfterTheWorkIsSpent() {
        assertTrue(allowance.draw(Limit.ARCHIVE_ENTRIES, 1));
        assertFalse(allowance.spend(Long.MAX_VALUE));
        assertFalse(allowance.draw(Limit.ARCHIVE_ENTRIES, 1));
        assertEquals(Set.of(Limit.WORK), allowance.reached());
    }
}
