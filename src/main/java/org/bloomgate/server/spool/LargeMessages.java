package org.bloomgate.server.spool;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/// Messages above a size are read by as many threads as there are processors, so that the memory and time they take are
/// bounded by that and a small message never waits behind hundreds of large ones. Thread-safe.
final class LargeMessages {
    static final long LARGE_BYTES = 64 * 1024;

    private static final Semaphore TURNS =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors()));

    private LargeMessages() {}

    interface Reading {
        void read() throws IOException;
    }

    /// @throws IOException when the thread is interrupted while it waits for its turn
    static void inTurn(long sizeBytes, Reading reading) throws IOException {
        if (sizeBytes <= LARGE_BYTES) {
            reading.read();
            return;
        }
        try {
            TURNS.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before the message was read", e);
        }
        try {
            reading.read();
        } finally {
            TURNS.release();
        }
    }
}
