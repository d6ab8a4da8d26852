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
/// Redirects are followed here and not by the client, so that each hop is checked: at most [#MAX_REDIRECTS], never
/// from https to http, never to a host that is not public unless the feed allows it or names its address. A secret
/// goes to the feed's own origin alone. What may pass, a connection that fails or a server that is overloaded, is
/// tried again.
final class HttpDownload {
    private static final int MAX_REDIRECTS = 5;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private static final Pattern ADDRESS_LITERAL = Pattern.compile("[0-9.]+|\\[.*]");

    private static final Set<Integer> PASSING = Set.of(408, 425, 429, 500, 502, 503, 504);
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
    Fetched fetch(Feed feed, Path file, Validators known) throws FeedRefusedException {
        long deadline = System.nanoTime() + feed.transfer().timeout().toNanos();
        try (HttpClient client = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                // Proxies refuse requests that offer an upgrade to HTTP/2 in the clear.
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
            try {
                return attempts.run(() -> follow(new Order(feed, client, file, known, deadline)), deadline);
            } finally {
                client.shutdownNow();
            }
        } catch (FeedRefusedException refused) {
            throw refused;
        } catch (IOException failed) {
            throw new FeedRefusedException(feed, MaskedAddress.of(feed.source()) + ": " + describe(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new FeedRefusedException(feed, "the download was interrupted", interrupted);
        }
    }

    private record Order(Feed feed, HttpClient client, Path file, Validators known, long deadline) {}

    private Fetched follow(Order order) throws IOException, InterruptedException {
        Feed feed = order.feed();
        URI target = target(feed, feed.source());
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            HttpResponse<Long> response = get(order, target);
            if (!REDIRECTS.contains(response.statusCode())) {
                return fetched(order, target, response);
            }
            target = redirected(feed, target, response);
        }
        throw new FeedRefusedException(feed, "more than " + MAX_REDIRECTS + " redirects");
    }

    private static Fetched fetched(Order order, URI target, HttpResponse<Long> response) throws IOException {
        int status = response.statusCode();
        if (status == UNCHANGED && !order.known().isEmpty()) {
            Files.delete(order.file());
            return new Fetched.Unchanged();
        }
        if (status == 200) {
            return new Fetched.Content(new Validators(
                    response.headers().firstValue("ETag"), response.headers().firstValue("Last-Modified")));
        }
        String reason = MaskedAddress.of(target.toString()) + " answered with status " + status;
        if (PASSING.contains(status)) {
            throw new Attempts.PassingFault("answered with status " + status, retryAfter(response));
        }
        throw new FeedRefusedException(order.feed(), reason);
    }

    /// RFC 9110, section 10.2.3; a date is not waited for.
    private static Duration retryAfter(HttpResponse<Long> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(value -> SECONDS.matcher(value).matches())
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .orElse(Duration.ZERO);
    }

    private HttpResponse<Long> get(Order order, URI target) throws IOException, InterruptedException {
        Feed feed = order.feed();
        requirePublic(feed, target);
        IOException tooLong = new FeedRefusedException(
                feed,
                MaskedAddress.of(target.toString()) + " gives more than "
                        + feed.transfer().maxBytes() + " bytes (maxBytes)");
        try (FileChannel file = FileChannel.open(order.file(), CREATE, WRITE, TRUNCATE_EXISTING)) {
            return BoundedExchange.send(
                    order.client(),
                    request(order, target),
                    head -> head.statusCode() == 200
                            ? BoundedBody.to(
                                    bytes -> write(bytes, file),
                                    feed.transfer().maxBytes(),
                                    new AtomicLong(),
                                    () -> tooLong)
                            : BoundedBody.discarded(0L),
                    Duration.ofNanos(order.deadline() - System.nanoTime()));
        } catch (TimeoutException late) {
            throw new FeedRefusedException(
                    feed,
                    MaskedAddress.of(target.toString()) + ": not here after "
                            + feed.transfer().timeout() + " (timeout)",
                    late);
        }
    }

    private static void write(ByteBuffer bytes, FileChannel file) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    private HttpRequest request(Order order, URI target) throws FeedRefusedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(target).header("User-Agent", userAgent).header("Accept-Encoding", "identity");
        order.known().etag().ifPresent(tag -> request.header("If-None-Match", tag));
        order.known().lastModified().ifPresent(date -> request.header("If-Modified-Since", date));
        // A redirect to another host does not carry these: they stand in the address.
        Optional.ofNullable(target.getUserInfo())
                .ifPresent(user -> request.header("Authorization", FeedAuth.basic(user)));
        secret(order.feed(), target).ifPresent(field -> request.setHeader(field.name(), field.value()));
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

    private static boolean isSameOrigin(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && one.getHost().equalsIgnoreCase(other.getHost())
                && one.getPort() == other.getPort();
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
        } catch (IllegalArgumentException malformed) {
            throw new FeedRefusedException(feed, MaskedAddress.of(address) + " is not an http(s) address", malformed);
        }
    }

    private static URI redirected(Feed feed, URI from, HttpResponse<Long> response) throws FeedRefusedException {
        String location = response.headers()
                .firstValue("Location")
                .orElseThrow(() -> new FeedRefusedException(
                        feed, MaskedAddress.of(from.toString()) + " redirects without saying where to"));
        URI to = target(feed, resolved(feed, from, location));
        if (from.getScheme().equalsIgnoreCase("https") && to.getScheme().equalsIgnoreCase("http")) {
            throw new FeedRefusedException(feed, "redirected from https to " + MaskedAddress.of(to.toString()));
        }
        return to;
    }

    private static String resolved(Feed feed, URI from, String location) throws FeedRefusedException {
        try {
            return from.resolve(location).toString();
        } catch (IllegalArgumentException malformed) {
            throw new FeedRefusedException(feed, "redirected to " + Excerpt.of(MaskedAddress.of(location)), malformed);
        }
    }

    private static void requirePublic(Feed feed, URI target) throws IOException {
        try {
            if (!feed.transfer().allowPrivate() && !isMeant(feed, target) && !PublicHosts.isPublic(target.getHost())) {
                throw new FeedRefusedException(
                        feed, target.getHost() + " is not a public host; allowPrivate: true permits it");
            }
        } catch (UnknownHostException unknown) {
            throw new IOException("no address for " + target.getHost(), unknown);
        }
    }

    private static int port(URI uri) {
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        return uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
    }

    /// An address literal in the source is the operator's own choice, with its port. A name may resolve to a
    /// private address, or a redirect lead to one, by a stranger's choice.
    private static boolean isMeant(Feed feed, URI target) {
        URI source = URI.create(feed.source());
        String host = target.getHost();
        return ADDRESS_LITERAL.matcher(host).matches() && host.equals(source.getHost()) && port(target) == port(source);
    }

    private static String describe(IOException failed) {
        if (failed.getMessage() == null) {
            return failed instanceof ConnectException
                    ? "no connection"
                    : failed.getClass().getSimpleName();
        }
        return failed.getMessage();
    }
}
