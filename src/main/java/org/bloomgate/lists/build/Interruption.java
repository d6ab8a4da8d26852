package org.bloomgate.lists.build;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Lets a rebuild clean up when its process is asked to stop (SIGINT, SIGTERM): the work stops at its next
/// tick, temporary files are deleted, and the process ends after that. A second signal, or `kill -9`, leaves
/// them to the next rebuild.
public final class Interruption implements AutoCloseable {
    /// Deleting is quick; more means that the work hangs somewhere native.
    private static final long PATIENCE_SECONDS = 20;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = Thread.ofPlatform().name("rebuild-interruption").unstarted(this::stopWork);
    private volatile boolean queried;

    /// From now on until [#close()].
    public static Interruption watch() {
        Interruption interruption = new Interruption();
        try {
            Runtime.getRuntime().addShutdownHook(interruption.hook);
        } catch (IllegalStateException e) {
            interruption.queried = true;
        }
        return interruption;
    }

    private void stopWork() {
        queried = true;
        try {
            if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// @throws CancellationException when the process is ending
    public void check() {
        if (queried) {
            throw new CancellationException("rebuild interrupted, nothing was published");
        }
    }

    @Override
    public void close() {
        ended.countDown();
        if (!queried) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                queried = true;
            }
        }
    }
}
