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

/// Commands in progress, at most [#MOST] at one time, so that their memory is bounded. The first failure ends the
/// work. Not thread-safe.
final class CommandWindow {
    /// Enough to keep three servers busy over a network; each command is a few KiB at most.
    static final int MOST = 1024;

    private final Duration timeout;
    private final Deque<Sent<?>> inProgress = new ArrayDeque<>();

    /// @param timeout of each command
    CommandWindow(Duration timeout) {
        this.timeout = timeout;
    }

    /// Checks the reply of a command.
    @FunctionalInterface
    interface Check<T> {
        void accept(@Nullable T value) throws IOException;
    }

    /// Sends a command as soon as the window has space.
    ///
    /// @throws IOException when an earlier command failed
    <T> void send(Supplier<RedisFuture<T>> command, Check<T> check) throws IOException {
        if (inProgress.size() == MOST) {
            inProgress.removeFirst().settle();
        }
        inProgress.addLast(new Sent<>(Pending.to(command), check, System.nanoTime() + timeout.toNanos()));
    }

    /// Sends a command whose result does not matter, only its success.
    <T> void send(Supplier<RedisFuture<T>> command) throws IOException {
        send(command, _ -> {});
    }

    /// Waits for all commands in progress.
    void drain() throws IOException {
        while (!inProgress.isEmpty()) {
            inProgress.removeFirst().settle();
        }
    }

    private record Sent<T>(Pending<T> reply, Check<T> check, long deadline) {
        void settle() throws IOException {
            try {
                check.accept(reply.await(deadline));
            } catch (TimeoutException e) {
                throw new IOException("no reply in time", e);
            } catch (ExecutionException e) {
                throw new IOException(RedisFault.inWords(e), e);
            }
        }
    }
}
