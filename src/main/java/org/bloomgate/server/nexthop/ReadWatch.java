package org.bloomgate.server.nexthop;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.base.concurrent.BackgroundTask;

/// Ends socket reads that are past their deadlines, within a tenth of a second. One thread checks all sockets:
/// a timeout of the socket itself would set and cancel a timer for every read, which was a sixth of the CPU
/// time of a relayed message.
///
/// Thread-safe.
public final class ReadWatch implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

    private final Set<DeadlineSocket> sockets = ConcurrentHashMap.newKeySet();
    private final BackgroundTask watch;

    public ReadWatch(String name) {
        watch = BackgroundTask.every(CHECK_INTERVAL, name, () -> sockets.forEach(DeadlineSocket::endOverdueRead));
    }

    void add(DeadlineSocket socket) {
        sockets.add(socket);
    }

    void remove(DeadlineSocket socket) {
        sockets.remove(socket);
    }

    /// Stops the checks: reads are no longer ended at their deadlines.
    @Override
    public void close() {
        watch.close();
    }
}
