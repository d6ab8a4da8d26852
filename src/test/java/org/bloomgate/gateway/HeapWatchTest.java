package org.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.background.Background;
import org.junit.jupiter.api.Test;

class HeapWatchTest {
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong left = new AtomicLong();
    private int collections;
    private final HeapWatch watch = new HeapWatch(used::get, left::get, this::collect);

    private void collect() {
        collections++;
        used.set(left.get());
    }

    @Test
    void garbageIsLetBeUpToTheSlack() {
        left.set(10_000_000);
        used.set(10_000_000 + HeapWatch.SLACK_BYTES);
        watch.look();
        assertEquals(0, collections);
        used.incrementAndGet();
        watch.look();
        watch.look();
        assertEquals(1, collections);
    }

    @Test
    void whatLivesIsNoGarbageHoweverMuchItIs() {
        left.set(1L << 30);
        used.set(left.get() + 1);
        watch.look();
        assertEquals(0, collections);
    }

    /// Without a name the watch knows, nothing would ever be collected.
    @Test
    void theCollectorInUseTellsOfItsOldObjects() {
        Optional<Background> running = HeapWatch.start();
        running.ifPresent(Background::close);
        assertTrue(running.isPresent());
    }
}
