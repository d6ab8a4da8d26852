package org.bloomgate.remote;

import java.time.Duration;

/// Runs something later.
interface Timer {

    Pending after(Duration delay, Runnable task);

    /// What waits to be run.
    @FunctionalInterface
    interface Pending {
        void cancel();
    }
}
