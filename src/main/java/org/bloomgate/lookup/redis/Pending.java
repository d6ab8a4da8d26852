package org.bloomgate.lookup.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A command in progress. [#await] throws every error, including one from sending.
///
/// @param <T> type of the reply, which is null if Redis has no value
record Pending<T>(Future<T> future) {

    static <T> Pending<T> to(Supplier<RedisFuture<T>> command) {
        try {
            return new Pending<>(command.get());
        } catch (RedisException e) {
            return new Pending<>(CompletableFuture.failedFuture(e));
        }
    }

    /// @param deadline as of [System#nanoTime()]; a reply that has arrived is returned even after it
    @Nullable
    T await(long deadline) throws ExecutionException, TimeoutException {
        try {
            return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            throw e;
        } catch (CancellationException e) {
            throw new ExecutionException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExecutionException(new CancellationException("interrupted"));
        }
    }
}
