package org.bloomgate.lists.layer;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Lets a rebuild clean up when its process receives SIGINT or SIGTERM: the work stops at its next tick,
/// temporary files are deleted, and the process ends after that. After a second signal, or `kill -9`, the next
/// rebuild deletes them.
public final class Interruption implements AutoCloseable {
    /// Deleting is quick; a longer wait means that native code hangs.
    private static final long TIMEOUT_SECONDS = 20;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = Thread.ofPlatform().name("rebuild-interruption").unstarted(this::stopWork);
    private volatile boolean stopRequested;

    /// From now on until [#close()].
    public static Interruption watch() {
        Interruption interruption = new Interruption();
        try {
            Runtime.getRuntime().addShutdownHook(interruption.hook);
        } catch (IllegalStateException e) {
            interruption.stopRequested = true;
        }
        return interruption;
    }

    private void stopWork() {
        stopRequested = true;
        try {
            if (!ended.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// @throws CancellationException when the process is ending
    public void check() {
        if (stopRequested) {
            throw new CancellationException("rebuild interrupted, nothing was published");
        }
    }

    @Override
    public void close() {
        ended.countDown();
        if (!stopRequested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                stopRequested = true;
            }
        }
    }
}
