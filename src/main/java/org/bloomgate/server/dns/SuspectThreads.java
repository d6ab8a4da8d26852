package org.bloomgate.server.dns;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Runs lookups that may wait for a remote exact tier, each on a virtual thread, so that a slow one delays no
/// other query. Thread-safe.
final class SuspectThreads implements AutoCloseable {
    /// UDP queries in progress here; further ones are answered SERVFAIL. At the usual deadline of 250 ms that
    /// is 4,000 a second for a tier that does not answer at all.
    static final int MAX_SUSPECTS = 1_024;

    /// Longer than any deadline that is useful to a resolver.
    private static final Duration DRAIN = Duration.ofSeconds(3);

    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("dns-suspect-", 0).factory());
    private final Semaphore room = new Semaphore(MAX_SUSPECTS);

    /// Returns false, and runs nothing, if all threads are busy.
    boolean run(Runnable suspect) {
        if (!room.tryAcquire()) {
            return false;
        }
        try {
            threads.execute(() -> {
                try {
                    suspect.run();
                } finally {
                    room.release();
                }
            });
            return true;
        } catch (RejectedExecutionException closed) {
            room.release();
            return false;
        }
    }

    /// Accepts no more lookups and waits for those in progress.
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
