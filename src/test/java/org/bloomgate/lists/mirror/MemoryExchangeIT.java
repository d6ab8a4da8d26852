package org.bloomgate.lists.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bloomgate.base.io.OwnJson;
import org.bloomgate.decision.memory.GroupOptions;
import org.bloomgate.decision.memory.MemoryFile;
import org.bloomgate.decision.memory.MemoryGroup;
import org.bloomgate.decision.memory.OtherGateways;
import org.bloomgate.decision.memory.SiteMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The exchange with a peer that answers as it should, and with peers that do not.
@Timeout(60)
class MemoryExchangeIT {
    private static final Instant NOW = Instant.parse("2026-01-08T12:00:00Z");
    private static final String TOKEN = "a-token-of-the-role-fleet";
    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;
    private volatile Behaviour behaviour;
    private MemoryExchange peer;
    private SiteMemory memory;
    private MemoryExchange exchange;

    /// What the peer answers; false to be answered as it should.
    private interface Behaviour {
        boolean answer(HttpExchange request) throws IOException;
    }

    @BeforeEach
    void start() throws Exception {
        behaviour = _ -> false;
        Path key = Files.write(folder.resolve("key"), new byte[32]);
        try (SiteMemory seeing = open("theirs", key)) {
            seeing.links()
                    .orElseThrow()
                    .rememberDelivered("seen.example", List.of("b@dest.example"), Optional.empty(), true);
        }
        SiteMemory theirs = open("theirs", key);
        theirs.close();
        peer = new MemoryExchange(theirs.group().orElseThrow(), GroupOptions.defaults(), () -> NOW);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        memory = open("ours", key);
        exchange = new MemoryExchange(
                memory.group().orElseThrow(),
                new GroupOptions("fleet", true, Optional.of(key), List.of(address()), TOKEN),
                () -> NOW);
    }

    private SiteMemory open(String name, Path key) throws IOException {
        return new SiteMemory(
                folder.resolve(name), new SiteMemory.Options(true, false, name, Optional.of(key)), () -> NOW);
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        end.countDown();
        exchange.close();
        server.stop(0);
        memory.close();
    }

    private void handle(HttpExchange request) throws IOException {
        try (request) {
            if (behaviour.answer(request)) {
                return;
            }
            assertEquals("Bearer " + TOKEN, request.getRequestHeaders().getFirst("Authorization"));
            String path = request.getRequestURI().getPath();
            if (path.equals("/v1/memory")) {
                send(request, 200, OwnJson.MAPPER.writeValueAsBytes(peer.list()));
            } else if (path.equals("/v1/memory/seen")) {
                MemoryExchange.DigestQuery question = OwnJson.MAPPER.readValue(
                        request.getRequestBody().readAllBytes(), MemoryExchange.DigestQuery.class);
                send(request, 200, OwnJson.MAPPER.writeValueAsBytes(peer.answer(question)));
            } else {
                String[] names = path.substring("/v1/memory/".length()).split("/", -1);
                send(
                        request,
                        200,
                        peer.group().read(names[0], names[1], names[2]).orElseThrow());
            }
        }
    }

    private static void send(HttpExchange request, int status, byte[] body) throws IOException {
        request.sendResponseHeaders(status, body.length);
        request.getResponseBody().write(body);
    }

    private static boolean isFile(HttpExchange request) {
        return request.getRequestURI().getPath().contains("/links/");
    }

    /// A gigabyte, or as much as the client reads.
    private static boolean flood(HttpExchange request) throws IOException {
        request.sendResponseHeaders(200, 0);
        try (OutputStream out = request.getResponseBody()) {
            byte[] block = new byte[MIB];
            for (int i = 0; i < 1024; i++) {
                out.write(block);
            }
        }
        return true;
    }

    private boolean hasSeen() {
        return memory.links().orElseThrow().findSeen("seen.example").isPresent();
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private String faults() {
        return exchange.listFaults().toString();
    }

    private void assertNamed(String fault) {
        exchange.start();
        await(() -> !exchange.listFaults().isEmpty());
        assertTrue(faults().contains(fault), this::faults);
        assertFalse(hasSeen());
    }

    @Test
    void peer_filesAreFetchedAndUnited() {
        exchange.start();
        await(() -> hasSeen() && memory.links().orElseThrow().isKnown("seen.example"));
        assertEquals("[]", faults());
    }

    @Test
    void joinedGateway_filesAreFetchedOnce() throws Exception {
        assertEquals(peer.list().files().size(), exchange.join(address()));
        assertTrue(hasSeen());
        assertEquals(0, exchange.join(address()));
    }

    @Test
    void peerOfAnotherKey_isNamed() throws Exception {
        byte[] listing = OwnJson.MAPPER.writeValueAsBytes(new MemoryExchange.FileList(
                "evil", "0123456789abcdef", peer.list().files()));
        behaviour = request -> {
            send(request, 200, listing);
            return true;
        };
        assertNamed("another key");
    }

    @Test
    void peerOfTheSameName_isNamed() throws Exception {
        byte[] listing = OwnJson.MAPPER.writeValueAsBytes(new MemoryExchange.FileList(
                "ours", peer.list().group(), peer.list().files()));
        behaviour = request -> {
            send(request, 200, listing);
            return true;
        };
        assertNamed("smtp.hostname");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "{\"gateway\":\"a\",\"group\":\"GROUP\",\"files\":null}",
                "{\"gateway\":\"a\",\"group\":\"GROUP\",\"files\":[null]}",
                "{\"gateway\":\"a\",\"group\":\"GROUP\",\"files\":[{\"origin\":\"a\",\"set\":\"links\"}]}"
            })
    void listingThatLacksSomething_isNamed(String json) throws Exception {
        byte[] listing = json.replace("GROUP", peer.list().group()).getBytes(StandardCharsets.US_ASCII);
        behaviour = request -> {
            send(request, 200, listing);
            return true;
        };
        assertNamed(address());
        assertEquals(
                new OtherGateways.Answers(List.of(), List.of(address())), exchange.ask("seen.example"), this::faults);
    }

    @Test
    void fileWithoutEnd_keepsNoOtherAway() throws Exception {
        MemoryFile links = peer.list().files().stream()
                .filter(file -> file.set().equals("links"))
                .findFirst()
                .orElseThrow();
        byte[] listing = OwnJson.MAPPER.writeValueAsBytes(new MemoryExchange.FileList(
                "theirs",
                peer.list().group(),
                List.of(links, new MemoryFile("theirs", "known", links.day(), 1, links.sha256()))));
        behaviour = request -> {
            if (request.getRequestURI().getPath().equals("/v1/memory")) {
                send(request, 200, listing);
                return true;
            }
            return request.getRequestURI().getPath().contains("/known/") && flood(request);
        };
        exchange.start();
        await(() -> !exchange.listFaults().isEmpty());
        await(this::hasSeen);
        assertTrue(faults().contains("more than the"), this::faults);
    }

    @Test
    void peerThatRejectsTheToken_isNamed() {
        behaviour = request -> {
            send(request, 403, new byte[0]);
            return true;
        };
        assertNamed("memory.groups.token");
    }

    @Test
    void redirect_isNotFollowed() {
        behaviour = request -> {
            request.getResponseHeaders().add("Location", address() + "/v1/memory");
            send(request, 302, new byte[0]);
            return true;
        };
        assertNamed("not followed");
    }

    @Test
    void listingWithoutEnd_isCutOff() {
        behaviour = MemoryExchangeIT::flood;
        assertNamed("more than the " + MemoryExchange.MAX_LIST_BYTES + " expected bytes");
    }

    @Test
    void fileWithoutEnd_isCutOff() {
        behaviour = request -> isFile(request) && flood(request);
        assertNamed("more than the");
    }

    @Test
    void damagedFile_isRefusedAndNamed() throws Exception {
        MemoryFile file = peer.list().files().stream()
                .filter(one -> one.set().equals("links"))
                .findFirst()
                .orElseThrow();
        MemoryGroup theirs = peer.group();
        byte[] bytes = theirs.read(file.origin(), file.set(), file.day()).orElseThrow();
        bytes[bytes.length - 1] ^= 1;
        behaviour = request -> {
            if (isFile(request)) {
                send(request, 200, bytes);
                return true;
            }
            return false;
        };
        assertNamed("theirs/links/2026-01-08");
        assertTrue(faults().contains("refused: "), this::faults);
    }

    @Test
    void question_isAnsweredByThePeer() {
        assertEquals(
                new OtherGateways.Answers(
                        List.of(new OtherGateways.Answer("theirs", Optional.of(NOW), 1, 1)), List.of()),
                exchange.ask("seen.example"));
        assertEquals(new OtherGateways.Answers(List.of(), List.of()), exchange.ask("other.example"));
    }

    @Test
    void question_withoutAnswerInTime_isUnanswered() {
        behaviour = _ -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return true;
        };
        long begin = System.nanoTime();
        OtherGateways.Answers answers = exchange.ask("seen.example");
        assertEquals(List.of(address()), answers.unanswered());
        assertTrue(System.nanoTime() - begin < 2 * MemoryExchange.ANSWER_WITHIN.toNanos());
    }

    @Test
    void answer_ofWhatIsNoHash_isNone() {
        assertEquals(
                new OtherGateways.Answers(List.of(), List.of()),
                peer.answer(new MemoryExchange.DigestQuery(List.of("", "x", "0123456789abcdef0", "ffffffffffffffff"))));
    }
}
