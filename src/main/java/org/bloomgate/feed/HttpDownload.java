package org.bloomgate.feed;

import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/// Downloads a feed into a file, within the feed's bounds of size and time.
///
/// Redirects are followed here and not by the client, so that each hop is checked: at most [#MAX_REDIRECTS], never from
/// https to http, never to a host that is not public unless the feed allows it or names its address.
final class HttpDownload {
    private static final int MAX_REDIRECTS = 5;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private static final Pattern ADDRESS_LITERAL = Pattern.compile("[0-9.]+|\\[.*]");

    private final String userAgent;

    HttpDownload(String version) {
        this.userAgent = "Bloomgate/" + version;
    }

    void fetch(Feed feed, Path file) throws FeedRefusedException {
        try {
            follow(feed, file);
        } catch (FeedRefusedException refused) {
            throw refused;
        } catch (IOException failed) {
            throw new FeedRefusedException(feed, masked(feed.source()) + ": " + describe(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new FeedRefusedException(feed, "the download was interrupted", interrupted);
        }
    }

    private void follow(Feed feed, Path file) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + feed.timeout().toNanos();
        HttpClient client = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        try {
            URI target = target(feed, feed.source());
            for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
                HttpResponse<Path> response = get(feed, client, target, file, deadline);
                if (!REDIRECTS.contains(response.statusCode())) {
                    requireOk(feed, target, response.statusCode());
                    return;
                }
                target = redirected(feed, target, response);
            }
            throw new FeedRefusedException(feed, "more than " + MAX_REDIRECTS + " redirects");
        } finally {
            client.shutdownNow();
        }
    }

    private HttpResponse<Path> get(Feed feed, HttpClient client, URI target, Path file, long deadline)
            throws IOException, InterruptedException {
        requirePublic(feed, target);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(target).header("User-Agent", userAgent).header("Accept-Encoding", "identity");
        Optional.ofNullable(target.getUserInfo()).ifPresent(user -> request.header("Authorization", basic(user)));
        BodyHandler<Path> toFile = BodyHandlers.limiting(BodyHandlers.ofFile(file), feed.maxBytes());
        CompletableFuture<HttpResponse<Path>> answer = client.sendAsync(
                request.build(),
                head -> head.statusCode() == 200
                        ? toFile.apply(head)
                        : BodyHandlers.replacing(file).apply(head));
        try {
            return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new FeedRefusedException(
                    feed, masked(target.toString()) + ": not here after " + feed.timeout() + " (timeout)", late);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        }
    }

    /// RFC 7617. A redirect to another host does not carry it, since it stands in the address.
    private static String basic(String user) {
        return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    private static URI target(Feed feed, String address) throws FeedRefusedException {
        try {
            URI target = URI.create(address);
            if (target.getHost() == null
                    || target.getScheme() == null
                    || !target.getScheme().matches("(?i)https?")) {
                throw new FeedRefusedException(feed, masked(address) + " is no http(s) address");
            }
            return target;
        } catch (IllegalArgumentException malformed) {
            throw new FeedRefusedException(feed, masked(address) + " is no http(s) address", malformed);
        }
    }

    private static URI redirected(Feed feed, URI from, HttpResponse<Path> response) throws FeedRefusedException {
        String location = response.headers()
                .firstValue("Location")
                .orElseThrow(() ->
                        new FeedRefusedException(feed, masked(from.toString()) + " redirects without saying where to"));
        URI to = target(feed, resolved(feed, from, location));
        if (from.getScheme().equalsIgnoreCase("https") && to.getScheme().equalsIgnoreCase("http")) {
            throw new FeedRefusedException(feed, "redirected from https to " + masked(to.toString()));
        }
        return to;
    }

    private static String resolved(Feed feed, URI from, String location) throws FeedRefusedException {
        try {
            return from.resolve(location).toString();
        } catch (IllegalArgumentException malformed) {
            throw new FeedRefusedException(feed, "redirected to " + Excerpt.of(masked(location)), malformed);
        }
    }

    private static void requirePublic(Feed feed, URI target) throws FeedRefusedException {
        try {
            if (!feed.allowPrivate() && !isMeant(feed, target) && !PublicHosts.isPublic(target.getHost())) {
                throw new FeedRefusedException(
                        feed, target.getHost() + " is no public host; allowPrivate: true lets it be");
            }
        } catch (UnknownHostException unknown) {
            throw new FeedRefusedException(feed, "no address for " + target.getHost(), unknown);
        }
    }

    /// An address literal in the source is what the operator wrote and means. A name may lead to a private address, or
    /// an
    /// answer redirect to one, by somebody else's doing.
    private static boolean isMeant(Feed feed, URI target) {
        String host = target.getHost();
        return ADDRESS_LITERAL.matcher(host).matches()
                && host.equals(URI.create(feed.source()).getHost());
    }

    private static void requireOk(Feed feed, URI target, int status) throws FeedRefusedException {
        if (status != 200) {
            throw new FeedRefusedException(feed, masked(target.toString()) + " answered with status " + status);
        }
    }

    /// The address without user name, password and query, in which keys are often carried.
    static String masked(String address) {
        return address.replaceFirst("//[^/?#]*@", "//***@").replaceFirst("\\?.*", "?***");
    }

    private static String describe(IOException failed) {
        return failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
    }
}
