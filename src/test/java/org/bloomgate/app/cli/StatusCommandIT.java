package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.app.cli.StatusCommand.Disk;
import org.bloomgate.app.cli.StatusCommand.QuarantineTotals;
import org.bloomgate.app.cli.StatusCommand.Running;
import org.bloomgate.app.cli.StatusCommand.Summary;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCommandIT {
    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    private Invocation status(Path file, String... more) {
        List<String> all = new ArrayList<>(List.of("status", "-c", file.toString()));
        all.addAll(List.of(more));
        return Invocation.of("", all);
    }

    @Test
    void runningGateway_isReadyWithItsLayers() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(folder)) {
            Path file = folder.resolve("bloomgate.yaml");
            String listen = "http.listen=127.0.0.1:" + gateway.http("").getPort();

            Invocation ready = status(file, "--json", "--set", listen);

            assertEquals(ExitStatus.FINE, ready.status(), ready::err);
            JsonNode summary = JSON.readTree(ready.out());
            assertEquals("ready", summary.path("state").asText());
            assertEquals("nightly", summary.at("/gateway/layers/0/layer").asText());
            assertEquals("published", summary.at("/lastRebuild/outcome").asText());
            assertEquals(0, summary.at("/quarantine/messages").asInt(-1));
            assertTrue(summary.at("/disk/freeBytes").asLong() > 0, ready::out);

            Invocation wrong = status(file, "--set", listen, "--set", "http.adminToken=not-the-token-of-it");
            assertEquals(ExitStatus.FINE, wrong.status(), wrong::err);
            assertTrue(wrong.err().contains("set http.adminToken to the token of the gateway"), wrong::err);
            assertTrue(wrong.out().startsWith("state         ready\nlast rebuild  nightly published"), wrong::out);
        }
    }

    @Test
    void nextHopThatIsNotReached_isACondition() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(folder)) {
            Path file = folder.resolve("bloomgate.yaml");
            String listen = "http.listen=127.0.0.1:" + gateway.http("").getPort();
            assertFalse(status(file, "--set", listen).out().contains("nextHop"));
            ConfigurationSource source = new ConfigurationSource(
                    Files.writeString(file, Files.readString(file).replaceAll("maildir:[^\"]*", "smtp://127.0.0.1:1")),
                    Map.of());
            List<String> _ = gateway.gateway().reload(source.read(), source);

            assertEquals("500", gateway.send("a@from.example", "x"), "without MAIL the text is no command");

            String condition = status(file, "--set", listen).out();
            assertTrue(condition.contains("nextHop: refused "), condition);
            assertTrue(condition.contains(" messages, one with 451 4.4.1 Next hop not reachable"), condition);
        }
    }

    /// By path: the field that was sent with the last request.
    private static HttpServer gateway(int health, Map<String, String> tokens) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            tokens.put(path, String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            byte[] answer = "{\"reason\": \"many lookups fail\"}".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(path.startsWith("/health/") ? health : 200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    private Invocation statusOf(HttpServer server) throws IOException {
        Path file = Files.writeString(folder.resolve("token.yaml"), "state: " + folder);
        String listen = "http.listen=127.0.0.1:" + server.getAddress().getPort();
        return status(file, "--set", listen, "--set", "http.adminToken=the-token-of-the-test");
    }

    @Test
    void adminToken_isSentForTheStatusOnly() throws Exception {
        Map<String, String> tokens = new ConcurrentHashMap<>();
        HttpServer server = gateway(200, tokens);
        try {
            Invocation ready = statusOf(server);
            assertEquals(ExitStatus.FINE, ready.status(), ready::err);
            assertTrue(ready.out().startsWith("state         ready: many lookups fail\n"), ready::out);
        } finally {
            server.stop(0);
        }
        assertEquals(
                Map.of(
                        "/health/ready",
                        "null",
                        "/v1/status",
                        "Bearer the-token-of-the-test",
                        "/v1/status/hours",
                        "Bearer the-token-of-the-test"),
                tokens);
    }

    @Test
    void adminToken_isNotSentToAnotherServer() throws Exception {
        Map<String, String> tokens = new ConcurrentHashMap<>();
        HttpServer server = gateway(404, tokens);
        try {
            assertEquals(ExitStatus.UNKNOWN, statusOf(server).status());
        } finally {
            server.stop(0);
        }
        assertEquals(Map.of("/health/ready", "null"), tokens);
    }

    @Test
    void noGateway_isNoAnswer() throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), "state: " + folder);

        Invocation none = status(file, "--set", "http.listen=127.0.0.1:1");
        assertEquals(ExitStatus.UNKNOWN, none.status());
        assertTrue(none.err().startsWith("bloomgate: no answer from http://127.0.0.1:1: "), none::err);

        assertEquals(
                ExitStatus.UNKNOWN,
                status(file, "--set", "http.listen=127.0.0.1:0").status());
    }

    @Test
    void summary_countsTheLastTwoHoursAndNamesHeldFeeds() throws Exception {
        Running running = StatusCommand.running(JSON.readTree("""
                {"version": "1", "startedAt": "2026-11-27T10:00:01Z",
                 "layers": [{"layer": "nightly", "generation": "G", "createdAt": "2026-11-25T11:00:00Z",
                             "confirmedAt": "2026-11-27T11:30:00Z",
                             "feeds": [{"name": "a", "from": "source"}, {"name": "b", "from": "last-good-copy"}]}],
                 "refused": [{"layer": "hourly", "text": "hourly/G2: damaged (no snapshot of hourly is in force)"}]}
                """), JSON.readTree("""
                {"messages": {"pass": [9, 20, 40], "tag": [9, 0, 0]}}
                """));
        assertEquals(Map.of("pass", 60L), running.lastTwoHours());

        Summary summary = new Summary(
                "not ready",
                "no snapshot is in force",
                Optional.of(running),
                Optional.empty(),
                new QuarantineTotals(3, Optional.of(NOW.minusSeconds(60))),
                new Disk(1_500_000_000, 3_000_000_000L));

        assertEquals(
                List.of(
                        "state         not ready: no snapshot is in force",
                        "version       1, started 119 min ago",
                        "nightly       G, 2 d old, confirmed 30 min ago",
                        "condition     hourly/G2: damaged (no snapshot of hourly is in force)",
                        "last rebuild  none",
                        "held feeds    b",
                        "last 2 hours  60 pass",
                        "quarantine    3 messages, the oldest 60 s old",
                        "free space    1.5 GB of 3.0 GB (var)"),
                StatusCommand.lines(summary, Path.of("var"), NOW));
    }
}
