package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.base.net.BoundedBody;
import org.bloomgate.base.net.BoundedExchange;
import org.bloomgate.base.tls.TrustedCertificates;
import org.bloomgate.lists.snapshot.PublishedFiles;

/// The HTTP client for a publisher, one request at a time: connections are reused, redirects are not followed,
/// a stalled or very slow answer is aborted. Thread-safe.
final class Publisher implements AutoCloseable {
    /// Bytes a second, on average over each timeout. A snapshot would never arrive over a slower link.
    private static final long MIN_RATE = 1024;

    private static final int MAX_TAG_CHARS = 256;

    private final String base;
    private final String section;
    private final String token;
    private final Duration timeout;
    private final HttpClient client;
    private final Map<String, ServerTag> serverTags = new ConcurrentHashMap<>();

    /// The entity tag that a static web server gives to content with a tag of our own.
    private record ServerTag(String ownTag, String field) {}

    /// @throws IOException when the CA file cannot be used
    Publisher(MirrorOptions options) throws IOException {
        this(
                options.url().replaceFirst("/+$", "") + PublishedFiles.PATH,
                "mirror",
                options.token(),
                options.timeout(),
                options.caFile());
    }

    /// @param base of all paths
    /// @param section of the configuration that has its address, for errors
    Publisher(String base, String section, String token, Duration timeout, Optional<Path> caFile) throws IOException {
        this.base = base;
        this.section = section;
        this.token = token;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .sslContext(TrustedCertificates.context(section + ".caFile", caFile))
                .build();
    }

    String base() {
        return base;
    }

    /// @param path below the base, of characters that need no escape
    HttpRequest.Builder createRequest(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .header("User-Agent", "Bloomgate")
                .header("Accept-Encoding", "identity");
        return token.isEmpty() ? request : request.header(BearerToken.FIELD, BearerToken.formatField(token));
    }

    /// The field If-None-Match for content that is known here (RFC 9110, section 13.1.2).
    String formatTags(String path, String tag) {
        String own = "\"" + tag + "\"";
        return Optional.ofNullable(serverTags.get(path))
                .filter(known -> known.ownTag().equals(tag) && !known.field().equals(own))
                .map(known -> own + ", " + known.field())
                .orElse(own);
    }

    /// Remembers the entity tag that the server gave to content.
    ///
    /// @param tag of the content
    void rememberTag(String path, String tag, HttpResponse<?> response) {
        response.headers()
                .firstValue("ETag")
                .filter(field -> field.length() <= MAX_TAG_CHARS)
                .ifPresentOrElse(
                        field -> serverTags.put(path, new ServerTag(tag, field)), () -> serverTags.remove(path));
    }

    /// The body of a status 200; empty with another status.
    ///
    /// @throws PublisherException when a body with status 200 is longer
    HttpResponse<byte[]> fetchSmall(HttpRequest request, int maxBytes) throws IOException, InterruptedException {
        AtomicLong progress = new AtomicLong();
        return send(
                request,
                head -> head.statusCode() == 200
                        ? BoundedBody.whole(maxBytes, progress, () -> createTooLongException(maxBytes))
                        : BoundedBody.discarded(new byte[0]),
                progress);
    }

    static PublisherException createTooLongException(long maxBytes) {
        return new PublisherException("more than the " + maxBytes + " expected bytes");
    }

    /// @param progress counts the received bytes
    /// @throws PublisherException if the answer stalls
    /// @throws IOException if the connection fails, or the consumer of the body throws
    <T> HttpResponse<T> send(HttpRequest request, Function<ResponseInfo, BoundedBody<T>> body, AtomicLong progress)
            throws IOException, InterruptedException {
        AtomicLong previousCount = new AtomicLong(progress.get());
        try {
            return requireUsable(
                    BoundedExchange.send(client, request, body, timeout, () -> isFast(progress.get(), previousCount)));
        } catch (TimeoutException e) {
            throw new PublisherException("stalled: fewer than " + MIN_RATE + " bytes a second over " + timeout);
        }
    }

    private boolean isFast(long now, AtomicLong seen) {
        return now - seen.getAndSet(now) >= MIN_RATE * timeout.toMillis() / 1000;
    }

    private <T> HttpResponse<T> requireUsable(HttpResponse<T> answer) throws PublisherException {
        int status = answer.statusCode();
        if (status >= 300 && status < 400 && status != 304) {
            throw new PublisherException("redirects (status " + status + "), which is not followed: set " + section
                    + " to the address itself");
        }
        if (status == 401 || status == 403) {
            throw new PublisherException(
                    "status " + status + ": set " + section + ".token to a token that has the role fleet there");
        }
        return answer;
    }

    /// Aborts requests in progress.
    @Override
    public void close() {
        client.shutdownNow();
    }
}
