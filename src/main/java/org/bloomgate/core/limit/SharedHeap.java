package org.bloomgate.core.limit;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The heap for all messages that are read at the same time. It is taken in chunks, so that a message needs
/// only a few calls. Thread-safe.
final class SharedHeap {
    /// The size of a chunk: a plain text message needs one or none.
    static final int CHUNK_BYTES = 256 * 1024;

    /// Two fifths of the heap of the process.
    static final SharedHeap OF_PROCESS =
            new SharedHeap(Runtime.getRuntime().maxMemory() / 5 * 2, Duration.ofSeconds(10));

    /// The number of times that a waiting message checks whether it was stopped.
    private static final int CHECKS = 100;

    private final int totalChunks;
    private final Semaphore chunks;
    private final long checkNanos;

    /// @param wait how long a message waits for chunks of others
    SharedHeap(long bytes, Duration wait) {
        this.totalChunks = (int) Math.min(Integer.MAX_VALUE, bytes / CHUNK_BYTES);
        this.chunks = new Semaphore(totalChunks);
        this.checkNanos = wait.toNanos() / CHECKS;
    }

    /// The bytes for all messages together.
    long bytes() {
        return (long) totalChunks * CHUNK_BYTES;
    }

    /// Takes chunks, and waits for other messages if not enough are free.
    ///
    /// @param stopped called from time to time while it waits
    /// @throws ReadingStopped if they are not free in time
    void take(int count, BooleanSupplier stopped) {
        boolean acquired = chunks.tryAcquire(count);
        for (int i = 0; i < CHECKS && !acquired && !stopped.getAsBoolean(); i++) {
            try {
                acquired = chunks.tryAcquire(count, checkNanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw new ReadingStopped(ReadingStopped.Reason.HEAP);
            }
        }
        if (!acquired) {
            throw new ReadingStopped(ReadingStopped.Reason.HEAP);
        }
    }

    void giveBack(int count) {
        chunks.release(count);
    }
}
