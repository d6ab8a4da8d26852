package org.bloomgate.lookup.remote;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.base.net.BoundedBody;
import org.bloomgate.base.net.BoundedExchange;
import org.bloomgate.base.tls.TrustedCertificates;
import org.bloomgate.lookup.tier.UnknownReason;

/// Queries servers that give the same answers, over persistent connections: the lookup services of a fleet, or web
/// servers with its published files. The server that answered last is queried first; if it fails, the next one is
/// queried within the same time. Thread-safe.
///
/// A call ends at its timeout whatever the server does: the exchange is abandoned and its connection closed.
public final class FailoverClient implements AutoCloseable {

    /// No caller waits that long: this timeout only ends the connection attempts of abandoned calls.
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final List<String> servers;
    private final String token;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;
    private volatile int preferred;

    /// @param section of the configuration, for messages
    /// @param options with at least one address
    /// @throws IOException when the certificates to trust cannot be read
    public FailoverClient(String section, HttpExactOptions options) throws IOException {
        servers = options.urls().stream()
                .map(url -> url.endsWith("/") ? url.substring(0, url.length() - 1) : url)
                .toList();
        if (servers.isEmpty()) {
            throw new IllegalArgumentException(section + ".urls: no server is named");
        }
        token = options.token();
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .proxy(HttpClient.Builder.NO_PROXY)
                .sslContext(TrustedCertificates.context(section + ".caFile", options.caFile()))
                .executor(threads)
                .build();
    }

    /// The result of a query.
    public sealed interface Result {
        /// All bytes of the body.
        record Body(InputStream bytes) implements Result {}

        record Failure(UnknownReason reason) implements Result {}
    }

    /// Sends a request to one server after the other, until one answers.
    ///
    /// @param path below the address of a server
    /// @param request without address
    /// @param check returns why an answer is not read, from its head
    /// @param maxBytes of the body of an answer; more is a bad answer
    public Result query(
            String path,
            HttpRequest.Builder request,
            Function<ResponseInfo, Optional<UnknownReason>> check,
            long maxBytes,
            Duration timeout) {
        if (!token.isEmpty()) {
            request.setHeader(BearerToken.FIELD, BearerToken.formatField(token));
        }
        long deadline = System.nanoTime() + timeout.toNanos();
        int first = preferred;
        Result result = new Result.Failure(UnknownReason.TIMEOUT);
        for (int attempts = 0; attempts < servers.size(); attempts++) {
            long remainingNanos = deadline - System.nanoTime();
            if (remainingNanos <= 0) {
                return result;
            }
            int server = (first + attempts) % servers.size();
            request.uri(URI.create(servers.get(server) + path));
            result = queryOnce(request.build(), check, maxBytes, remainingNanos / (servers.size() - attempts));
            if (result instanceof Result.Body) {
                preferred = server;
                return result;
            }
        }
        boolean isUnreachable =
                result instanceof Result.Failure(UnknownReason reason) && reason == UnknownReason.UNREACHABLE;
        request.uri(URI.create(servers.get(first) + path));
        return isUnreachable ? queryOnce(request.build(), check, maxBytes, deadline - System.nanoTime()) : result;
    }

    private Result queryOnce(
            HttpRequest request, Function<ResponseInfo, Optional<UnknownReason>> check, long maxBytes, long nanos) {
        AtomicReference<Optional<UnknownReason>> refusal = new AtomicReference<>();
        Function<ResponseInfo, BoundedBody<byte[]>> bodyHandler = head -> {
            refusal.set(check.apply(head));
            return refusal.get().isEmpty()
                    ? BoundedBody.whole(maxBytes, new AtomicLong(), () -> new IOException("too long"))
                    : BoundedBody.discarded(new byte[0]);
        };
        try {
            byte[] body = BoundedExchange.send(client, request, bodyHandler, Duration.ofNanos(nanos))
                    .body();
            return refusal.get()
                    .<Result>map(Result.Failure::new)
                    .orElseGet(() -> new Result.Body(new ByteArrayInputStream(body)));
        } catch (TimeoutException e) {
            return new Result.Failure(UnknownReason.TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result.Failure(UnknownReason.CLOSED);
        } catch (IOException e) {
            return new Result.Failure(refusal.get() != null ? UnknownReason.BAD_ANSWER : findReason(e));
        }
    }

    /// Returns the reason of a failure before the first byte of an answer.
    private static UnknownReason findReason(IOException e) {
        return e instanceof ConnectException ? UnknownReason.REFUSED : UnknownReason.UNREACHABLE;
    }

    /// Ends the calls in progress.
    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
