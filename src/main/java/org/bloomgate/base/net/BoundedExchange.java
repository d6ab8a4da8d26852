package org.bloomgate.base.net;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// An HTTP request and its answer, body included, with a time limit of its own, as the client's own timeout
/// ends with the header fields. An exchange that fails is cancelled, which closes its connection. All clients of the
/// program send through this, so that each has a [BoundedBody] for every status.
public final class BoundedExchange {
    private BoundedExchange() {}

    /// @throws TimeoutException when the answer is not all here in time
    /// @throws IOException when the connection fails, or what the body's taker threw
    public static <T> HttpResponse<T> send(
            HttpClient client, HttpRequest request, Function<ResponseInfo, BoundedBody<T>> body, Duration within)
            throws IOException, InterruptedException, TimeoutException {
        return send(client, request, body, within, () -> false);
    }

    /// @param goesOn called at each time limit: whether to wait as long again
    public static <T> HttpResponse<T> send(
            HttpClient client,
            HttpRequest request,
            Function<ResponseInfo, BoundedBody<T>> body,
            Duration within,
            BooleanSupplier goesOn)
            throws IOException, InterruptedException, TimeoutException {
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body::apply);
        try {
            while (true) {
                try {
                    return answer.get(Math.max(0, within.toNanos()), TimeUnit.NANOSECONDS);
                } catch (TimeoutException late) {
                    if (!goesOn.getAsBoolean()) {
                        throw late;
                    }
                }
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        } finally {
            answer.cancel(true);
        }
    }
}
