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

/// Sends an HTTP request and receives the response, including its body, within a time limit: the timeout of the
/// JDK's client covers only the header fields. A failed exchange is cancelled, which closes its connection. All
/// HTTP clients of the program send their requests here, so that every response body is bounded, whatever its
/// status.
public final class BoundedExchange {
    private BoundedExchange() {}

    /// @throws TimeoutException if the response is not complete in time
    /// @throws IOException if the connection fails, or the receiver of the body throws it
    public static <T> HttpResponse<T> send(
            HttpClient client, HttpRequest request, Function<ResponseInfo, BoundedBody<T>> body, Duration timeout)
            throws IOException, InterruptedException, TimeoutException {
        return send(client, request, body, timeout, () -> false);
    }

    /// @param waitAgain called each time the timeout expires; whether to wait for another `timeout`
    public static <T> HttpResponse<T> send(
            HttpClient client,
            HttpRequest request,
            Function<ResponseInfo, BoundedBody<T>> body,
            Duration timeout,
            BooleanSupplier waitAgain)
            throws IOException, InterruptedException, TimeoutException {
        CompletableFuture<HttpResponse<T>> response = client.sendAsync(request, body::apply);
        try {
            while (true) {
                try {
                    return response.get(Math.max(0, timeout.toNanos()), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (!waitAgain.getAsBoolean()) {
                        throw e;
                    }
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            response.cancel(true);
        }
    }
}
