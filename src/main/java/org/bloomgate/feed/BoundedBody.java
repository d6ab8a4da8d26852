package org.bloomgate.feed;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/// Hands a body on up to a bound; a longer one ends with an error.
final class BoundedBody<T> implements BodySubscriber<T> {
    private final BodySubscriber<T> body;
    private final long maxBytes;
    private final IOException tooLong;
    private Optional<Flow.Subscription> subscription = Optional.empty();
    private long bytes;

    /// @param tooLong the error
    BoundedBody(BodySubscriber<T> body, long maxBytes, IOException tooLong) {
        this.body = body;
        this.maxBytes = maxBytes;
        this.tooLong = tooLong;
    }

    @Override
    public CompletionStage<T> getBody() {
        return body.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = Optional.of(given);
        body.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            bytes += buffer.remaining();
        }
        if (bytes <= maxBytes) {
            body.onNext(buffers);
        } else if (subscription.isPresent()) {
            subscription.get().cancel();
            subscription = Optional.empty();
            body.onError(tooLong);
        }
    }

    @Override
    public void onError(Throwable fault) {
        body.onError(fault);
    }

    @Override
    public void onComplete() {
        body.onComplete();
    }
}
