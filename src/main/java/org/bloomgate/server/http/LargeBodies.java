package org.bloomgate.server.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// How many large bodies are worked on at a time, so that memory is bounded by their number and not by the number of
/// connections. Thread-safe.
///
/// A chunked body counts as large whatever its length: the server takes a chunk into memory whole.
public final class LargeBodies {
    /// 16 times the default bound of a message is 400 MiB, which only a hostile client with one chunk a message uses.
    private static final int AT_A_TIME = 16;

    private static final long LARGE_BYTES = 256 * 1024;

    private final Semaphore permits = new Semaphore(AT_A_TIME);
    private final Duration patience;

    public LargeBodies(Duration patience) {
        this.patience = patience;
    }

    /// Handles one body.
    interface Work {
        Answer answer() throws IOException;
    }

    /// @param length announced, negative when the body is chunked
    Answer within(long length, Work work) throws IOException {
        if (length >= 0 && length <= LARGE_BYTES) {
            return work.answer();
        }
        if (!acquired()) {
            return Answer.problem(Problem.unavailable("too many large requests at a time"));
        }
        try {
            return work.answer();
        } finally {
            permits.release();
        }
    }

    private boolean acquired() {
        try {
            return permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
