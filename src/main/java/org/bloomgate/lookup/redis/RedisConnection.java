package org.bloomgate.lookup.redis;

import io.lettuce.core.ReadFrom;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connection to the servers that all lookups of a process share; tried again until it succeeds.
/// Thread-safe.
///
/// A gateway does not wait for servers that are down: it starts, every suspect is unresolved, and they are
/// queried as soon as they are there. A replica is queried while its primary is down: it may lack the end of
/// the written data, which contains the markers of buckets, but never the middle.
public final class RedisConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisConnection.class);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    private final RedisOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean closed;
    private volatile Optional<BackgroundTask> connecting = Optional.empty();
    private volatile Optional<RedisLink> link = Optional.empty();

    private RedisConnection(RedisOptions options) {
        this.options = options;
    }

    /// Returns as soon as the first attempt has succeeded or failed; a thread repeats a failed one.
    public static RedisConnection open(RedisOptions options) {
        RedisConnection connection = new RedisConnection(options);
        if (!connection.tryConnect()) {
            connection.connecting =
                    Optional.of(BackgroundTask.keepRunning("redis-connect", connection::retryUntilConnected));
        }
        return connection;
    }

    /// Empty until the servers are reached, and after [#close].
    Optional<RedisClusterAsyncCommands<byte[], byte[]>> commands() {
        return link.map(RedisLink::commands);
    }

    boolean isClosed() {
        return closed;
    }

    String prefix() {
        return options.prefix();
    }

    private void retryUntilConnected() throws InterruptedException {
        do {
            Thread.sleep(RETRY_INTERVAL);
        } while (!closed && !tryConnect());
    }

    private boolean tryConnect() {
        try {
            RedisLink opened = RedisLink.connect(options, ReadFrom.UPSTREAM_PREFERRED);
            lock.lock();
            try {
                if (isClosed()) {
                    opened.close();
                } else {
                    link = Optional.of(opened);
                    LOG.info("exact.redis: connected to {}", String.join(", ", options.nodes()));
                }
            } finally {
                lock.unlock();
            }
            return true;
        } catch (IOException e) {
            if (!closed) {
                LOG.warn("{} (no suspect can be looked up until it is connected)", e.getMessage());
            }
            return false;
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            link.ifPresent(RedisLink::close);
            link = Optional.empty();
        } finally {
            lock.unlock();
        }
        connecting.ifPresent(BackgroundTask::close);
    }
}
