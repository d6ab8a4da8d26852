package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BoundedBodyTest {
    private final IOException tooLong = new IOException("too long");

    private final AtomicLong progress = new AtomicLong();

    @Test
    void aBodyOfTheBoundIsTaken() {
        assertEquals(4, taken(4, 2, 2));
        assertEquals(4, progress.get());
    }

    @Test
    void anByteMoreIsTheError() {
        CompletionException fault = assertThrows(CompletionException.class, () -> taken(4, 2, 3));

        assertSame(tooLong, fault.getCause());
    }

    @Test
    void whatCannotBeTakenIsTheErrorAndEndsTheAnswer() {
        IOException full = new IOException("no space left");
        BoundedBody<Long> body = BoundedBody.to(
                bytes -> {
                    throw full;
                },
                4,
                progress,
                () -> tooLong);

        CompletionException fault = assertThrows(CompletionException.class, () -> fed(body, 1));

        assertSame(full, fault.getCause());
    }

    private long taken(long maxBytes, int... parts) {
        return fed(BoundedBody.to(bytes -> {}, maxBytes, progress, () -> tooLong), parts);
    }

    private static long fed(BoundedBody<Long> body, int... parts) {
        body.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
        });
        for (int part : parts) {
            body.onNext(List.of(ByteBuffer.allocate(part)));
        }
        body.onComplete();
        return body.getBody().toCompletableFuture().join();
    }
}
