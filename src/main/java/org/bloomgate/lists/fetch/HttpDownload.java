package org.bloomgate.lists.fetch;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.bloomgate.base.net.BoundedBody;
import org.bloomgate.base.net.BoundedExchange;
import org.bloomgate.base.net.PublicHosts;

/// Downloads a feed into a file, within the feed's bounds of size and time.
///
/// Redirects are followed here and not by the client, so that each hop is checked: at most [#MAX_REDIRECTS],
/// never from https to http, never to a host that is not public unless the feed allows it or names its address.
/// A secret is sent only to the feed's own origin. After a temporary fault, such as a failed connection or an
/// overloaded server, the download is tried again.
final class HttpDownload {
    private static final int MAX_REDIRECTS = 5;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private static final Pattern ADDRESS_LITERAL = Pattern.compile("[0-9.]+|\\[.*]");

    private static final Set<Integer> TEMPORARY = Set.of(408, 425, 429, 500, 502, 503, 504);
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,5}");
    private static final int UNCHANGED = 304;

    private final String userAgent;
    private final Map<String, String> environment;
    private final Attempts attempts;

    HttpDownload(String version, Map<String, String> environment, Attempts attempts) {
        this.userAgent = "Bloomgate/" + version;
        this.environment = environment;
        this.attempts = attempts;
    }

    /// @param known validators of the known content; only newer content is downloaded
    /// @param timeout of the whole download
    Optional<Validators> fetch(Feed feed, Path file, Validators known, Duration timeout) throws FeedRefusedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        try (HttpClient client = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                // Proxies refuse requests that offer an upgrade to HTTP/2 in the clear.
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
            try {
                return attempts.run(() -> follow(new Download(feed, client, file, known, timeout, deadline)), deadline);
            } finally {
                client.shutdownNow();
            }
        } catch (FeedRefusedException e) {
            throw e;
        } catch (IOException e) {
            throw new FeedRefusedException(feed, MaskedAddress.of(feed.source()) + ": " + describe(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FeedRefusedException(feed, "the download was interrupted", e);
        }
    }

    /// One download with its redirects and attempts.
    private record Download(
            Feed feed, HttpClient client, Path file, Validators known, Duration timeout, long deadline) {}

    private Optional<Validators> follow(Download download) throws IOException, InterruptedException {
        Feed feed = download.feed();
        URI target = target(feed, feed.source());
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            HttpResponse<Long> response = get(download, target);
            if (!REDIRECTS.contains(response.statusCode())) {
                return result(download, target, response);
            }
            target = redirected(feed, target, response);
        }
        throw new FeedRefusedException(feed, "more than " + MAX_REDIRECTS + " redirects");
    }

    private static Optional<Validators> result(Download download, URI target, HttpResponse<Long> response)
            throws IOException {
        int status = response.statusCode();
        if (status == UNCHANGED && !download.known().isEmpty()) {
            Files.delete(download.file());
            return Optional.empty();
        }
        if (status == 200) {
            return Optional.of(new Validators(
                    response.headers().firstValue("ETag"), response.headers().firstValue("Last-Modified")));
        }
        String reason = MaskedAddress.of(target.toString()) + " answered with status " + status;
        if (TEMPORARY.contains(status)) {
            throw new Attempts.TemporaryFault("answered with status " + status, retryAfter(response));
        }
        throw new FeedRefusedException(download.feed(), reason);
    }

    /// The pause that the server requests (RFC 9110, section 10.2.3); a date is ignored.
    private static Duration retryAfter(HttpResponse<Long> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(value -> SECONDS.matcher(value).matches())
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .orElse(Duration.ZERO);
    }

    private HttpResponse<Long> get(Download download, URI target) throws IOException, InterruptedException {
        Feed feed = download.feed();
        requirePublic(feed, target);
        IOException tooLong = new FeedRefusedException(
                feed,
                MaskedAddress.of(target.toString()) + " sends more than "
                        + feed.transfer().maxBytes() + " bytes (maxBytes)");
        try (FileChannel file = FileChannel.open(download.file(), CREATE, WRITE, TRUNCATE_EXISTING)) {
            return BoundedExchange.send(
                    download.client(),
                    request(download, target),
                    head -> head.statusCode() == 200
                            ? BoundedBody.to(
                                    bytes -> write(bytes, file),
                                    feed.transfer().maxBytes(),
                                    new AtomicLong(),
                                    () -> tooLong)
                            : BoundedBody.discarded(0L),
                    Duration.ofNanos(download.deadline() - System.nanoTime()));
        } catch (TimeoutException e) {
            throw new FeedRefusedException(
                    feed,
                    MaskedAddress.of(target.toString()) + ": not complete after " + download.timeout() + " (timeout)",
                    e);
        }
    }

    private static void write(ByteBuffer bytes, FileChannel file) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    private HttpRequest request(Download download, URI target) throws FeedRefusedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(target).header("User-Agent", userAgent).header("Accept-Encoding", "identity");
        download.known().etag().ifPresent(tag -> request.header("If-None-Match", tag));
        download.known().lastModified().ifPresent(date -> request.header("If-Modified-Since", date));
        // They are part of the address, so a redirect to another host does not get them.
        Optional.ofNullable(target.getUserInfo())
                .ifPresent(user -> request.header("Authorization", FeedAuth.basic(user)));
        secret(download.feed(), target).ifPresent(field -> request.setHeader(field.name(), field.value()));
        return request.build();
    }

    private Optional<FeedAuth.Field> secret(Feed feed, URI target) throws FeedRefusedException {
        FeedAuth auth = feed.transfer().auth();
        if (auth.scheme() == FeedAuth.Scheme.NONE || !isSameOrigin(URI.create(feed.source()), target)) {
            return Optional.empty();
        }
        String secret = environment.getOrDefault(auth.env(), "").strip();
        if (secret.isEmpty() || secret.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new FeedRefusedException(
                    feed, "environment variable " + auth.env() + " (auth) is empty or holds more than printable ASCII");
        }
        return Optional.of(auth.field(secret));
    }

    private static boolean isSameOrigin(URI first, URI second) {
        return first.getScheme().equalsIgnoreCase(second.getScheme())
                && first.getHost().equalsIgnoreCase(second.getHost())
                && first.getPort() == second.getPort();
    }

    private static URI target(Feed feed, String address) throws FeedRefusedException {
        try {
            URI target = URI.create(address);
            if (target.getHost() == null
                    || target.getScheme() == null
                    || !target.getScheme().matches("(?i)https?")) {
                throw new FeedRefusedException(feed, MaskedAddress.of(address) + " is not an http(s) address");
            }
            return target;
        } catch (IllegalArgumentException e) {
            throw new FeedRefusedException(feed, MaskedAddress.of(address) + " is not an http(s) address", e);
        }
    }

    private static URI redirected(Feed feed, URI from, HttpResponse<Long> response) throws FeedRefusedException {
        String location = response.headers()
                .firstValue("Location")
                .orElseThrow(() -> new FeedRefusedException(
                        feed, MaskedAddress.of(from.toString()) + " redirects without a Location field"));
        URI to = target(feed, resolved(feed, from, location));
        if (from.getScheme().equalsIgnoreCase("https") && to.getScheme().equalsIgnoreCase("http")) {
            throw new FeedRefusedException(feed, "redirected from https to " + MaskedAddress.of(to.toString()));
        }
        return to;
    }

    private static String resolved(Feed feed, URI from, String location) throws FeedRefusedException {
        try {
            return from.resolve(location).toString();
        } catch (IllegalArgumentException e) {
            throw new FeedRefusedException(feed, "redirected to " + Excerpt.of(MaskedAddress.of(location)), e);
        }
    }

    private static void requirePublic(Feed feed, URI target) throws IOException {
        try {
            if (!feed.transfer().allowPrivate()
                    && !isConfigured(feed, target)
                    && !PublicHosts.isPublic(target.getHost())) {
                throw new FeedRefusedException(
                        feed, target.getHost() + " is not a public host; allowPrivate: true permits it");
            }
        } catch (UnknownHostException e) {
            throw new IOException("no address for " + target.getHost(), e);
        }
    }

    private static int port(URI uri) {
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        return uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
    }

    /// Whether the target is an address literal of the source, which the operator chose, with its port. A name
    /// that resolves to a private address, or a redirect to one, may be an attack.
    private static boolean isConfigured(Feed feed, URI target) {
        URI source = URI.create(feed.source());
        String host = target.getHost();
        return ADDRESS_LITERAL.matcher(host).matches() && host.equals(source.getHost()) && port(target) == port(source);
    }

    private static String describe(IOException fault) {
        if (fault.getMessage() == null) {
            return fault instanceof ConnectException
                    ? "no connection"
                    : fault.getClass().getSimpleName();
        }
        return fault.getMessage();
    }
}
