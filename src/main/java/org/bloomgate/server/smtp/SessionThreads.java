package org.bloomgate.server.smtp;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// One virtual thread for each session. SubEthaSMTP waits without limit for its executor to terminate; this one
/// terminates in bounded time.
final class SessionThreads extends AbstractExecutorService {
    private static final long MAX_WAIT_SECONDS = 5;

    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("smtp-", 0).factory());

    @Override
    public void execute(Runnable session) {
        threads.execute(session);
    }

    @Override
    public void shutdown() {
        threads.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return threads.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return threads.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return threads.isTerminated();
    }

    /// Waits at most a few seconds, whatever the timeout; sessions that still run are interrupted.
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = Math.min(unit.toNanos(timeout), TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS));
        boolean ended = threads.awaitTermination(nanos, TimeUnit.NANOSECONDS);
        if (!ended) {
            threads.shutdownNow();
        }
        return ended;
    }
}
