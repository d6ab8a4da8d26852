package org.bloomgate.app.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// SIGTERM and SIGINT. The first requests a shutdown, which may take as long as messages in progress need; the
/// second ends the process at once, as if it had not been caught: with status 143 or 130.
final class StopSignals {
    private static final Logger LOG = LoggerFactory.getLogger(StopSignals.class);

    /// The number that a shell adds to the signal that ended a process.
    private static final int SIGNAL_STATUS = 128;

    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch stopRequested = new CountDownLatch(1);

    /// Handles both signals from now on.
    static StopSignals register() {
        StopSignals signals = new StopSignals();
        Object _ = Signals.register("TERM", () -> signals.handle("SIGTERM", 15));
        Object _ = Signals.register("INT", () -> signals.handle("SIGINT", 2));
        return signals;
    }

    private void handle(String name, int number) {
        if (stopping.getAndSet(true)) {
            LOG.warn("{} again: stopping at once", name);
            Runtime.getRuntime().halt(SIGNAL_STATUS + number);
        }
        LOG.info("{}: stopping after the messages in progress; a second signal stops at once", name);
        stopRequested.countDown();
    }

    /// Waits for the first signal.
    void await() throws InterruptedException {
        stopRequested.await();
    }
}
