package org.bloomgate.core.limit;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The heap that all messages that are read at the same time have together. Booked in chunks, so that a message
/// touches it a few times. Thread-safe.
final class SharedHeap {
    /// What is booked at once: a message of text alone has one chunk or none.
    static final int CHUNK_BYTES = 256 * 1024;

    /// Two fifths of the heap of the process.
    static final SharedHeap OF_PROCESS =
            new SharedHeap(Runtime.getRuntime().maxMemory() / 5 * 2, Duration.ofSeconds(10));

    /// How often one that waits looks whether it still should.
    private static final int LOOKS = 100;

    private final int most;
    private final Semaphore chunks;
    private final long lookNanos;

    /// @param wait how long a message waits for others
    SharedHeap(long bytes, Duration wait) {
        this.most = (int) Math.min(Integer.MAX_VALUE, bytes / CHUNK_BYTES);
        this.chunks = new Semaphore(most);
        this.lookNanos = wait.toNanos() / LOOKS;
    }

    /// What all of them may have together.
    long bytes() {
        return (long) most * CHUNK_BYTES;
    }

    /// Books chunks; waits for other messages where they have too many.
    ///
    /// @param stopped asked from time to time while it waits
    /// @throws ReadingStopped if they are not free in time
    void book(int count, BooleanSupplier stopped) {
        boolean booked = chunks.tryAcquire(count);
        for (int i = 0; i < LOOKS && !booked && !stopped.getAsBoolean(); i++) {
            try {
                booked = chunks.tryAcquire(count, lookNanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException closing) {
                throw new ReadingStopped(ReadingStopped.Reason.HEAP);
            }
        }
        if (!booked) {
            throw new ReadingStopped(ReadingStopped.Reason.HEAP);
        }
    }

    void giveBack(int count) {
        chunks.release(count);
    }
}
