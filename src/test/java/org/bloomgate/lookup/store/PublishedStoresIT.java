package org.bloomgate.lookup.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.remote.FailoverClient;
import org.bloomgate.lookup.remote.HttpExactOptions;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.UnknownReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Stores read page by page from a web server that works, is gone, or lies.
@Timeout(60)
class PublishedStoresIT {
    private static final String GENERATION = "20260304T050607Z-1a2b";
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private final NavigableMap<String, Integer> keys = PagesTest.generateKeys(2_000);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<HttpExchange> requests = new CopyOnWriteArrayList<>();
    private final Map<String, PartRoot> roots = new TreeMap<>();
    private volatile Mode mode = Mode.RANGES;
    private Path directory;
    private HttpServer server;
    private PublishedStores stores;

    enum Mode {
        RANGES,
        WHOLE_FILE,
        OTHER_RANGE,
        SHORT,
        ALTERED,
        PRUNED,
        BROKEN,
        STALLED
    }

    @BeforeEach
    void publish() throws IOException {
        directory = PagesTest.write(folder.resolve("store"), keys, 512, 256, 1);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                roots.put("exact/" + file.getFileName(), PartRoot.read(file));
            }
        }
        assertTrue(roots.size() > 1, roots::toString);
        start(0);
        FailoverClient servers =
                new FailoverClient("mirror", new HttpExactOptions(List.of(url()), Optional.empty(), ""));
        stores = new PublishedStores(servers, Duration.ofMillis(500));
    }

    private void start(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/v1/snapshots/" + GENERATION + "/exact/", this::answer);
        server.start();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/snapshots/";
    }

    @AfterEach
    void stop() {
        stores.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.add(exchange);
        byte[] file = Files.readAllBytes(
                directory.resolve(exchange.getRequestURI().getPath().replaceFirst(".*/", "")));
        String[] range = exchange.getRequestHeaders().getFirst("Range").split("[=-]", -1);
        int from = Integer.parseInt(range[1]);
        byte[] body = Arrays.copyOfRange(file, from, Integer.parseInt(range[2]) + 1);
        int status = 206;
        switch (mode) {
            case RANGES, BROKEN, PRUNED, STALLED -> {}
            case WHOLE_FILE -> {
                status = 200;
                body = new byte[1 << 22];
            }
            case OTHER_RANGE -> from++;
            case SHORT -> body = Arrays.copyOf(body, body.length - 1);
            case ALTERED -> body[body.length / 2] ^= 1;
        }
        status = mode == Mode.PRUNED ? 404 : mode == Mode.BROKEN ? 503 : status;
        if (mode == Mode.STALLED) {
            return;
        }
        exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + range[2] + "/" + file.length);
        exchange.sendResponseHeaders(status, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    private static List<Key> toKeys(Iterable<String> texts) {
        List<Key> made = new ArrayList<>();
        texts.forEach(
                text -> made.add(new Key(KeyKind.ofWireCode(text.charAt(0)).orElseThrow(), text.substring(1))));
        return made;
    }

    @Test
    void everyKey_hasTheAnswerOfTheStoreOnDisk() throws Exception {
        List<String> asked = new ArrayList<>(keys.keySet());
        keys.keySet().forEach(key -> asked.add(key + "~"));
        List<Key> askedKeys = toKeys(asked);
        try (SortedStore onDisk = SortedStore.open(directory);
                ExactLookup store = stores.open(GENERATION, roots)) {
            assertEquals(roots.size(), requests.size(), "the roots");
            assertTrue(store.local().isEmpty() && store.mayQueryRemote());
            List<ExactAnswer> answers = store.lookup(askedKeys, LONG);
            assertEquals(onDisk.lookup(askedKeys, LONG), answers);
            requests.clear();
            for (Key key : askedKeys.subList(0, 50)) {
                assertInstanceOf(
                        ExactAnswer.Listed.class,
                        store.lookup(List.of(key), LONG).getFirst());
            }
            assertEquals(50, requests.size(), "one page for each key");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "WHOLE_FILE, BAD_ANSWER",
        "OTHER_RANGE, BAD_ANSWER",
        "SHORT, BAD_ANSWER",
        "ALTERED, BAD_ANSWER",
        "PRUNED, NO_DATA",
        "BROKEN, BAD_STATUS",
        "STALLED, TIMEOUT"
    })
    void wrongAnswer_isUnknown(Mode wrong, UnknownReason reason) throws Exception {
        List<Key> key = toKeys(List.of(keys.firstKey()));
        try (ExactLookup store = stores.open(GENERATION, roots)) {
            mode = wrong;
            assertEquals(List.of(reason.answer()), store.lookup(key, LONG));
            requests.clear();
            mode = Mode.RANGES;
            assertInstanceOf(ExactAnswer.Listed.class, store.lookup(key, LONG).getFirst());
            String noCache = wrong == Mode.ALTERED || wrong == Mode.SHORT ? "no-cache" : "";
            assertEquals(
                    noCache,
                    Optional.ofNullable(requests.getFirst().getRequestHeaders().getFirst("Cache-Control"))
                            .orElse(""));
        }
    }

    @Test
    void lookup_endsAtItsDeadline() throws Exception {
        try (ExactLookup store = stores.open(GENERATION, roots)) {
            mode = Mode.STALLED;
            long begun = System.nanoTime();
            List<ExactAnswer> answers = store.lookup(toKeys(keys.keySet()).subList(0, 100), Duration.ofMillis(50));
            assertTrue(System.nanoTime() - begun < Duration.ofSeconds(10).toNanos());
            assertEquals(
                    List.of(UnknownReason.TIMEOUT.answer()),
                    answers.stream().distinct().toList());
        }
    }

    @ParameterizedTest
    @CsvSource({"ALTERED, bad-answer", "PRUNED, no-data"})
    void rootThatIsNotThere_isNotAdopted(Mode wrong, String reason) {
        mode = wrong;
        IOException refused = assertThrows(IOException.class, () -> stores.open(GENERATION, roots));
        assertTrue(String.valueOf(refused.getMessage()).endsWith(reason), refused::toString);
    }

    @Test
    void serverThatIsAway_opensTheStoreWhenItIsBack() throws Exception {
        int port = server.getAddress().getPort();
        server.stop(0);
        List<Key> key = toKeys(List.of(keys.firstKey()));
        try (ExactLookup store = stores.open(GENERATION, roots)) {
            assertEquals(List.of(UnknownReason.REFUSED.answer()), store.lookup(key, LONG));
            start(port);
            assertInstanceOf(ExactAnswer.Listed.class, store.lookup(key, LONG).getFirst());
        }
    }

    @Test
    void missingPart_isNotAdopted() {
        ((TreeMap<String, PartRoot>) roots).pollLastEntry();
        IOException refused = assertThrows(IOException.class, () -> stores.open(GENERATION, roots));
        assertTrue(String.valueOf(refused.getMessage()).endsWith("a part is missing"), refused::toString);
    }
}
