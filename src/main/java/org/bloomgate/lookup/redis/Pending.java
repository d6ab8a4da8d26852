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

/// A command under way. Whatever goes wrong with it, in sending it too, is thrown by [#await].
///
/// @param <T> of its value, which is null where Redis has none
record Pending<T>(Future<T> future) {

    static <T> Pending<T> to(Supplier<RedisFuture<T>> command) {
        try {
            return new Pending<>(command.get());
        } catch (RedisException notSent) {
            return new Pending<>(CompletableFuture.failedFuture(notSent));
        }
    }

    /// @param deadline as [System#nanoTime()] counts; a reply that is there counts after it, too
    @Nullable
    T await(long deadline) throws ExecutionException, TimeoutException {
        try {
            return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            future.cancel(true);
            throw late;
        } catch (CancellationException closing) {
            throw new ExecutionException(closing);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new ExecutionException(new CancellationException("interrupted"));
        }
    }
}
