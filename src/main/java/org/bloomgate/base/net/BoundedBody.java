package org.bloomgate.base.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/// Receives the body of an HTTP response up to a bound; a longer one, or an exception of the receiver, ends the
/// response with an error. Of the body of a response with an unusable status only a little is read: then its
/// connection is closed.
///
/// [BoundedExchange] accepts no other body subscriber, so that the bound applies to every status. The header
/// fields are bounded by the HTTP client of the JDK: 384 KiB a response, eight interim responses.
public final class BoundedBody<T> implements BodySubscriber<T> {

    /// Receives the bytes of a body.
    @FunctionalInterface
    public interface Bytes {
        void take(ByteBuffer bytes) throws IOException;
    }

    private static final long MAX_DISCARDED_BYTES = 64 * 1024;

    private final Bytes to;
    private final long maxBytes;
    private final AtomicLong progress;
    private final Optional<Supplier<? extends IOException>> tooLong;
    private final LongFunction<T> result;
    private final CompletableFuture<T> body = new CompletableFuture<>();
    private Optional<Flow.Subscription> subscription = Optional.empty();
    private long count;

    private BoundedBody(
            Bytes to,
            long maxBytes,
            AtomicLong progress,
            Optional<Supplier<? extends IOException>> tooLong,
            LongFunction<T> result) {
        this.to = to;
        this.maxBytes = maxBytes;
        this.progress = progress;
        this.tooLong = tooLong;
        this.result = result;
    }

    /// A body that is passed to `to`; the result is its number of bytes.
    ///
    /// @param progress grows with every byte
    /// @param tooLong the error for a body beyond the bound
    public static BoundedBody<Long> to(
            Bytes to, long maxBytes, AtomicLong progress, Supplier<? extends IOException> tooLong) {
        return new BoundedBody<>(to, maxBytes, progress, Optional.of(tooLong), count -> count);
    }

    /// A body that is kept in memory; the result is its bytes.
    ///
    /// @param progress grows with every byte
    /// @param tooLong the error for a body beyond the bound
    public static BoundedBody<byte[]> whole(
            long maxBytes, AtomicLong progress, Supplier<? extends IOException> tooLong) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Bytes to = part -> {
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            bytes.writeBytes(copy);
        };
        return new BoundedBody<>(to, maxBytes, progress, Optional.of(tooLong), _ -> bytes.toByteArray());
    }

    /// A short body that is discarded, for example of an error; the result is `instead`.
    public static <T> BoundedBody<T> discarded(T instead) {
        return new BoundedBody<>(_ -> {}, MAX_DISCARDED_BYTES, new AtomicLong(), Optional.empty(), _ -> instead);
    }

    @Override
    public CompletionStage<T> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
        subscription = Optional.of(newSubscription);
        newSubscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        try {
            for (ByteBuffer buffer : buffers) {
                take(buffer);
            }
        } catch (IOException | RuntimeException fault) {
            subscription.ifPresent(Flow.Subscription::cancel);
            body.completeExceptionally(fault);
        }
    }

    private void take(ByteBuffer buffer) throws IOException {
        if (body.isDone()) {
            return;
        }
        count += buffer.remaining();
        progress.addAndGet(buffer.remaining());
        if (count <= maxBytes) {
            to.take(buffer);
        } else if (tooLong.isPresent()) {
            throw tooLong.get().get();
        } else {
            subscription.ifPresent(Flow.Subscription::cancel);
            onComplete();
        }
    }

    @Override
    public void onError(Throwable fault) {
        body.completeExceptionally(fault);
    }

    @Override
    public void onComplete() {
        body.complete(result.apply(count));
    }
}
