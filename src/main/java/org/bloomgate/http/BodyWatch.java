package org.bloomgate.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// Ends the reading of bodies that fell silent. The server's sockets know no read timeout, so one thread looks at all
/// bodies every half of the time allowed and interrupts those that are overdue, which closes their connection.
/// Thread-safe.
final class BodyWatch implements AutoCloseable {
    private final Set<RequestBody> watched = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("http-body-watch").factory());

    private final ScheduledFuture<?> sweep;

    BodyWatch(Duration timeout) {
        long period = Math.max(1, timeout.toMillis() / 2);
        sweep = sweeper.scheduleWithFixedDelay(
                () -> watched.forEach(RequestBody::interruptIfLate), period, period, TimeUnit.MILLISECONDS);
    }

    void add(RequestBody body) {
        watched.add(body);
    }

    void remove(RequestBody body) {
        watched.remove(body);
    }

    @Override
    public void close() {
        sweep.cancel(false);
        sweeper.shutdown();
    }
}
