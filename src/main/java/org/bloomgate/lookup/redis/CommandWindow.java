package org.bloomgate.lookup.redis;

import io.lettuce.core.RedisFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Commands on their way to the servers, at most this many at one time: what they hold of memory is bounded,
/// and the first that fails ends it all. Not thread-safe.
final class CommandWindow {
    /// Enough to keep three servers busy over a network; each command is a few KiB at most.
    static final int MOST = 1024;

    private final Duration timeout;
    private final Deque<Sent<?>> underWay = new ArrayDeque<>();

    /// @param timeout of each command
    CommandWindow(Duration timeout) {
        this.timeout = timeout;
    }

    /// Looks at what a command gave.
    @FunctionalInterface
    interface Check<T> {
        void of(@Nullable T value) throws IOException;
    }

    /// Sends a command as soon as the window has space.
    ///
    /// @throws IOException when a command before failed
    <T> void send(Supplier<RedisFuture<T>> command, Check<T> check) throws IOException {
        if (underWay.size() == MOST) {
            underWay.removeFirst().settle();
        }
        underWay.addLast(new Sent<>(Pending.to(command), check, System.nanoTime() + timeout.toNanos()));
    }

    /// Sends a command whose result does not matter, only its success.
    <T> void send(Supplier<RedisFuture<T>> command) throws IOException {
        send(command, any -> {});
    }

    /// Waits for all that are under way.
    void drain() throws IOException {
        while (!underWay.isEmpty()) {
            underWay.removeFirst().settle();
        }
    }

    private record Sent<T>(Pending<T> reply, Check<T> check, long deadline) {
        void settle() throws IOException {
            try {
                check.of(reply.await(deadline));
            } catch (TimeoutException e) {
                throw new IOException("no reply in time", e);
            } catch (ExecutionException e) {
                throw new IOException(RedisFault.inWords(e), e);
            }
        }
    }
}
