package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bloomgate.RecordCopy;
import org.bloomgate.lists.format.FeedFixtures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedFetcherIT {
    private static final String LIST = "# list\nevil.example\n";

    @TempDir
    Path scratch;

    private final List<HttpExchange> seen = new CopyOnWriteArrayList<>();
    private final CountDownLatch stall = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private FeedFetcher fetcher;
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        on("/list", exchange -> answer(exchange, 200, LIST));
        on("/gone", exchange -> answer(exchange, 404, "<html>gone</html>"));
        on("/hop", exchange -> redirect(exchange, "list"));
        on("/loop", exchange -> redirect(exchange, "/loop"));
        on("/outside", exchange -> redirect(exchange, "file:///etc/passwd"));
        on("/nowhere", exchange -> exchange.sendResponseHeaders(302, -1));
        on("/short", exchange -> {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write(LIST.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        on("/stalled", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('#');
            exchange.getResponseBody().flush();
            await();
        });
        server.start();
        fetcher = new FeedFetcher("1.2.3", Map.of("FEED_KEY", "s3cret"), pauses::add);
    }

    @AfterEach
    void stop() {
        stall.countDown();
        server.stop(0);
        threads.close();
    }

    @Test
    void downloadIsWholeAndInTheFileAskedFor() throws IOException {
        assertEquals(LIST, fetch(feed("/list", Map.of())));
        assertEquals("Bloomgate/1.2.3", header("User-Agent"));
    }

    @Test
    void redirectIsFollowed() throws IOException {
        assertEquals(LIST, fetch(feed("/hop", Map.of())));
        assertEquals(2, seen.size());
    }

    @Test
    void sixthRedirectIsRefused() throws IOException {
        assertRefused(feed("/loop", Map.of()), "more than 5 redirects");
        assertEquals(6, seen.size());
    }

    @Test
    void redirectToSomethingElseThanHttpIsRefused() throws IOException {
        assertRefused(feed("/outside", Map.of()), "is not an http(s) address");
        assertRefused(feed("/nowhere", Map.of()), "redirects without a Location field");
    }

    @Test
    void privateHostIsNotAskedUnlessTheFeedAllowsIt() throws IOException {
        String byName = "http://localhost:" + server.getAddress().getPort() + "/list";
        Feed feed = FeedFixtures.feed(Map.of("source", byName));
        assertRefused(feed, "is not a public host; allowPrivate");
        assertEquals(0, seen.size());
    }

    @Test
    void addressWrittenOutInTheSourceIsMeantButNotWhatItRedirectsTo() throws IOException {
        Map<String, String> byDefault = Map.of("allowPrivate", "false");
        assertEquals(LIST, fetch(feed("/list", byDefault)));
        on(
                "/away",
                exchange -> redirect(
                        exchange, "http://localhost:" + server.getAddress().getPort() + "/list"));
        assertRefused(feed("/away", byDefault), "is not a public host; allowPrivate");
    }

    @Test
    void otherStatusThan200IsRefused() throws IOException {
        assertRefused(feed("/gone", Map.of()), "/gone answered with status 404");
    }

    @Test
    void bodyAboveTheBoundIsRefusedAndTheBoundItselfTaken() throws IOException {
        assertRefused(feed("/list", Map.of("maxBytes", "" + (LIST.length() - 1))), "(maxBytes)");
        assertEquals(1, seen.size(), "what is too long stays so");
        assertEquals(LIST, fetch(feed("/list", Map.of("maxBytes", "" + LIST.length()))));
    }

    @Test
    void truncatedBodyIsRefused() throws IOException {
        assertRefused(feed("/short", Map.of()), "/short: ");
    }

    @Test
    void stalledBodyIsRefusedAtTheTimeout() throws IOException {
        assertRefused(feed("/stalled", Map.of("timeout", "PT0.3S")), "(timeout)");
    }

    @Test
    void closedPortAndUnknownHostAreRefused() throws IOException {
        Feed feed = feed("/list", Map.of());
        server.stop(0);
        assertRefused(feed, "/list: ");
        assertRefused(FeedFixtures.feed(Map.of("source", "http://no-such-host.invalid/")), "no address for");
    }

    @Test
    void credentialsAreSentButNeverShown() throws IOException {
        String address = address("/gone").replace("//", "//user:s3cret@") + "?key=t0ken";
        Feed feed = FeedFixtures.feed(Map.of("source", address, "allowPrivate", "true"));
        FeedRefusedException refused = assertThrows(FeedRefusedException.class, () -> fetch(feed));
        assertEquals("Basic dXNlcjpzM2NyZXQ=", header("Authorization"));
        assertFalse(FeedFixtures.message(refused).contains("s3cret")
                || FeedFixtures.message(refused).contains("t0ken"));
        assertTrue(FeedFixtures.message(refused).contains("//***@"), FeedFixtures.message(refused));
    }

    @Test
    void fileIsReadWhereItLiesAndAMissingOneIsNamed() throws IOException {
        Path file = Files.writeString(scratch.resolve("list.txt"), LIST);
        assertEquals(LIST, fetch(FeedFixtures.feed(Map.of("source", file.toString()))));
        assertTrue(Files.exists(file));
        assertRefused(FeedFixtures.feed(Map.of("source", "no/such/file.txt")), "no file no/such/file.txt");
        assertRefused(
                FeedFixtures.feed(Map.of("source", "pom.xml/list.txt")),
                "file pom.xml/list.txt cannot be read: Not a directory");
    }

    @Test
    void directoryInsteadOfAFileIsTheFeedsFault() throws IOException {
        assertRefused(FeedFixtures.feed(Map.of("source", scratch.toString())), scratch + ": no such file");
    }

    @Test
    void fileThatCannotBeWrittenIsNotTheFeedsFault() throws IOException {
        Path file = Files.writeString(scratch.resolve("list.txt"), LIST);
        Feed feed = FeedFixtures.feed(Map.of("source", file.toString()));
        IOException fault = assertThrows(
                IOException.class, () -> fetcher.fetch(feed, scratch.resolve("no/such/folder/file"), Validators.NONE));
        assertFalse(fault instanceof FeedRefusedException, fault::toString);
    }

    @Test
    void contentThatTheServerStillHasIsNotFetchedAgain() throws IOException {
        on("/tagged", exchange -> {
            exchange.getResponseHeaders().add("ETag", "\"v1\"");
            exchange.getResponseHeaders().add("Last-Modified", "Mon, 02 Mar 2026 02:00:00 GMT");
            boolean known = "\"v1\"".equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
            if (known) {
                exchange.sendResponseHeaders(304, -1);
                exchange.close();
            } else {
                answer(exchange, 200, LIST);
            }
        });
        Path into = scratch.resolve("feed");
        Validators first =
                fetcher.fetch(feed("/tagged", Map.of()), into, Validators.NONE).orElseThrow();
        assertEquals(Optional.of("\"v1\""), first.etag());
        Files.delete(into);
        assertEquals(Optional.empty(), fetcher.fetch(feed("/tagged", Map.of()), into, first));
        assertEquals("Mon, 02 Mar 2026 02:00:00 GMT", header("If-Modified-Since"));
        assertFalse(Files.exists(into));
    }

    @Test
    void unaskedForNotModifiedIsRefused() {
        on("/odd", exchange -> {
            exchange.sendResponseHeaders(304, -1);
            exchange.close();
        });
        assertRefused(feed("/odd", Map.of()), "answered with status 304");
    }

    @Test
    void overloadedServerIsAskedAgainAfterPausesThatGrow() throws IOException {
        on("/busy", exchange -> answer(exchange, seen.size() < 3 ? 503 : 200, LIST));
        assertEquals(LIST, fetch(feed("/busy", Map.of())));
        assertEquals(2, pauses.size());
        for (int i = 0; i < pauses.size(); i++) {
            long base = 1_000L << i;
            long pause = pauses.get(i).toMillis();
            assertTrue(pause >= base / 2 && pause < base * 3 / 2, pauses::toString);
        }
    }

    @Test
    void serverThatStaysDownIsAskedSoOftenAndNoMore() {
        on("/down", exchange -> answer(exchange, 502, "down"));
        assertRefused(feed("/down", Map.of()), "answered with status 502");
        assertEquals(Attempts.MAX, seen.size());
    }

    @Test
    void whereNobodyListensIsAskedOnceMoreAndNoMore() {
        Feed feed = feed("/list", Map.of());
        server.stop(0);
        assertRefused(feed, "no connection");
        assertEquals(Attempts.MAX_REFUSED - 1, pauses.size());
    }

    @Test
    void retryAfterIsKeptToWithinAMinute() throws IOException {
        on("/limit", exchange -> {
            exchange.getResponseHeaders().add("Retry-After", seen.size() == 1 ? "30" : "86400");
            answer(exchange, seen.size() < 3 ? 429 : 200, LIST);
        });
        assertEquals(LIST, fetch(feed("/limit", Map.of())));
        assertEquals(List.of(Duration.ofSeconds(30), Duration.ofMinutes(1)), pauses);
    }

    @Test
    void noPauseGoesBeyondTheTimeout() {
        on("/busy", exchange -> answer(exchange, 503, ""));
        assertRefused(feed("/busy", Map.of("timeout", "PT0.4S")), "answered with status 503");
        assertEquals(List.of(), pauses);
    }

    @Test
    void shorterAttemptLeavesNothingOfALongerOneBefore() throws IOException {
        on("/cut", exchange -> {
            if (seen.size() == 1) {
                exchange.sendResponseHeaders(200, 1_000);
                exchange.getResponseBody().write("x.example\n".repeat(50).getBytes(StandardCharsets.UTF_8));
                exchange.close();
            } else {
                answer(exchange, 200, LIST);
            }
        });
        assertEquals(LIST, fetch(feed("/cut", Map.of())));
    }

    @ParameterizedTest
    @CsvSource({
        "BASIC, '', Authorization, Basic czNjcmV0",
        "BEARER, '', Authorization, Bearer s3cret",
        "HEADER, Auth-Key, Auth-Key, s3cret"
    })
    void secretOfTheEnvironmentGoesToTheFeedsOwnOriginAlone(
            FeedAuth.Scheme scheme, String header, String field, String value) throws IOException {
        on("/away", exchange -> redirect(exchange, address("/list").replace("127.0.0.1", "localhost")));
        FeedAuth auth = new FeedAuth(scheme, "FEED_KEY", header);
        assertEquals(LIST, fetch(RecordCopy.with(feed("/hop", Map.of()), "auth", auth)));
        assertEquals(value, header(field));
        assertEquals(LIST, fetch(RecordCopy.with(feed("/away", Map.of()), "auth", auth)));
        assertEquals("null", header(field));
    }

    @Test
    void secretThatIsNotThereIsNamedAndNothingIsAsked() {
        FeedAuth auth = new FeedAuth(FeedAuth.Scheme.BEARER, "NO_SUCH_KEY", "");
        assertRefused(RecordCopy.with(feed("/list", Map.of()), "auth", auth), "environment variable NO_SUCH_KEY");
        assertEquals(0, seen.size());
    }

    @Test
    void fileAboveTheBoundIsRefusedAndTheBoundItselfTaken() throws IOException {
        String file = Files.writeString(scratch.resolve("list.txt"), LIST).toString();
        assertEquals(LIST, fetch(FeedFixtures.feed(Map.of("source", file, "maxBytes", "" + LIST.length()))));
        assertRefused(
                FeedFixtures.feed(Map.of("source", file, "maxBytes", "" + (LIST.length() - 1))), "bytes (maxBytes)");
    }

    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private void on(String path, Answer answer) {
        server.createContext(path, exchange -> {
            seen.add(exchange);
            try (exchange) {
                answer.to(exchange);
            }
        });
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.sendResponseHeaders(status, body.length());
        exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
    }

    private static void redirect(HttpExchange exchange, String location) throws IOException {
        exchange.getResponseHeaders().set("Location", location);
        exchange.sendResponseHeaders(302, -1);
    }

    private void await() {
        try {
            stall.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Feed feed(String path, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of("source", address(path), "allowPrivate", "true"));
        all.putAll(settings);
        return FeedFixtures.feed(all);
    }

    private String address(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private String header(String name) {
        return String.valueOf(seen.getLast().getRequestHeaders().getFirst(name));
    }

    private String fetch(Feed feed) throws IOException {
        Path into = Files.createTempDirectory(scratch, "fetched").resolve("feed");
        fetcher.fetch(feed, into, Validators.NONE);
        return Files.readString(into);
    }

    private void assertRefused(Feed feed, String words) {
        FeedRefusedException refused = assertThrows(FeedRefusedException.class, () -> fetch(feed));
        assertTrue(FeedFixtures.message(refused).startsWith("feed test: "), FeedFixtures.message(refused));
        assertTrue(FeedFixtures.message(refused).contains(words), FeedFixtures.message(refused));
    }
}
