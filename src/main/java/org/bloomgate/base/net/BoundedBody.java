package org.bloomgate.base.net;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Takes the body of an answer up to a bound, byte by byte into whatever is given; what is longer, or cannot be
/// taken, ends the answer with an error. Gives the number of bytes.
public final class BoundedBody implements BodySubscriber<Long> {

    /// Where bytes go.
    @FunctionalInterface
    public interface Bytes {
        void take(ByteBuffer bytes) throws IOException;
    }

    private final Bytes to;
    private final long maxBytes;
    private final AtomicLong progress;
    private final Supplier<? extends IOException> tooLong;
    private final CompletableFuture<Long> body = new CompletableFuture<>();
    private Optional<Flow.Subscription> subscription = Optional.empty();
    private long count;

    /// @param progress grows with every byte
    /// @param tooLong the error for a body beyond the bound
    public BoundedBody(Bytes to, long maxBytes, AtomicLong progress, Supplier<? extends IOException> tooLong) {
        this.to = to;
        this.maxBytes = maxBytes;
        this.progress = progress;
        this.tooLong = tooLong;
    }

    @Override
    public CompletionStage<Long> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = Optional.of(given);
        given.request(Long.MAX_VALUE);
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
        if (count > maxBytes) {
            throw tooLong.get();
        }
        to.take(buffer);
    }

    @Override
    public void onError(Throwable fault) {
        body.completeExceptionally(fault);
    }

    @Override
    public void onComplete() {
        body.complete(count);
    }
}
