package org.bloomgate.server.nexthop;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.base.concurrent.BackgroundTask;

/// Ends the reads of many sockets that outlast their deadlines, each within a tenth of a second. One thread looks at
/// all of them: a timeout of the socket's own sets a timer for every read and takes it back, which was a sixth of the
/// CPU time of a relayed message.
///
/// Thread-safe.
public final class ReadWatch implements AutoCloseable {
    private static final Duration ROUND = Duration.ofMillis(100);

    private final Set<DeadlineSocket> sockets = ConcurrentHashMap.newKeySet();
    private final BackgroundTask watch;

    public ReadWatch(String name) {
        watch = BackgroundTask.every(ROUND, name, () -> sockets.forEach(DeadlineSocket::endOverdueRead));
    }

    void add(DeadlineSocket socket) {
        sockets.add(socket);
    }

    void remove(DeadlineSocket socket) {
        sockets.remove(socket);
    }

    /// Reads that are under way are no longer ended.
    @Override
    public void close() {
        watch.close();
    }
}
