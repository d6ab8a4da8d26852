package org.bloomgate.core.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KeyHeapTest {
    private static final int MEGABYTE = 1 << 20;
    private static final int SHARE = 32 * MEGABYTE;

    private final AtomicLong keys = new AtomicLong(SHARE);

    private Allowance create() {
        return new Allowance(
                MessageLimits.defaults(), new SharedHeap(Allowance.MAX_HEAP_BYTES, Duration.ofMillis(1)), keys);
    }

    @Test
    void keysAtTheShare_areTaken() {
        Allowance allowance = create();
        assertTrue(allowance.keepHeap(Limit.KEYS, SHARE));
        assertEquals(Set.of(), allowance.reached());
        assertEquals(0, keys.get());
    }

    @Test
    void keysBeyondTheShare_areALimitAtOnce() {
        Allowance allowance = create();
        assertFalse(allowance.keepHeap(Limit.KEYS, SHARE + 1));
        assertEquals(Set.of(Limit.KEYS), allowance.reached());
        assertEquals(SHARE, keys.get());
    }

    @Test
    void ordinaryKeys_areNeverRefusedAndLeaveLess() {
        Allowance waiting = create();
        Allowance first = create();
        waiting.takeOrdinaryKeys();
        assertFalse(first.keepHeap(Limit.KEYS, SHARE - Allowance.ORDINARY_KEY_BYTES + 1));
        assertTrue(first.keepHeap(Limit.KEYS, SHARE - Allowance.ORDINARY_KEY_BYTES));
        create().takeOrdinaryKeys();
        assertEquals(-Allowance.ORDINARY_KEY_BYTES, keys.get());
        first.keptBackTo(0);
        waiting.giveBackOrdinaryKeys();
        assertEquals(SHARE - Allowance.ORDINARY_KEY_BYTES, keys.get());
    }

    @Test
    void secondReadingOfAMessage_givesBackItsOwnKeys() {
        Allowance allowance = create();
        assertTrue(allowance.keepHeap(Limit.KEYS, 3 * MEGABYTE));
        long first = allowance.keptBytes();
        assertTrue(allowance.keepHeap(Limit.KEYS, 5 * MEGABYTE));
        allowance.keptBackTo(first);
        assertEquals(SHARE - 3 * MEGABYTE, keys.get());
        allowance.keptBackTo(0);
        assertEquals(SHARE, keys.get());
    }

    @Test
    void sixtyMessagesAtOnce_holdNoMoreThanTheShare() throws Exception {
        Callable<Allowance> message = () -> {
            Allowance allowance = create();
            while (allowance.keepHeap(Limit.KEYS, MEGABYTE)) {
                assertTrue(keys.get() >= 0);
            }
            return allowance;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Allowance>> messages = threads.invokeAll(Collections.nCopies(60, message));
            assertEquals(
                    SHARE,
                    messages.stream()
                            .mapToLong(one -> one.resultNow().keptBytes())
                            .sum());
            messages.forEach(one -> one.resultNow().keptBackTo(0));
        }
        assertEquals(SHARE, keys.get());
    }
}
