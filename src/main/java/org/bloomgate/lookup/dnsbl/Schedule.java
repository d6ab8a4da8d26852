package org.bloomgate.lookup.dnsbl;

import java.time.Duration;

/// Runs something later.
interface Schedule {

    Waiting after(Duration delay, Runnable task);

    /// A scheduled task.
    @FunctionalInterface
    interface Waiting {
        void cancel();
    }
}
