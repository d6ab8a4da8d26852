package org.bloomgate.account;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A report on its way to a web server of this machine.
@Timeout(60)
class WebhookIT {
    private static final Map<String, String> ENVIRONMENT = Map.of("HOOK_SECRET", "key");
    private static final Duration LONG = Duration.ofSeconds(30);

    private record Posted(String method, String signature, String type, String body) {}

    private final List<Posted> posted = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answering("/ok", exchange -> exchange.sendResponseHeaders(204, -1));
        answering("/busy", exchange -> exchange.sendResponseHeaders(503, -1));
        answering("/moved", exchange -> {
            exchange.getResponseHeaders().add("Location", "/ok");
            exchange.sendResponseHeaders(307, -1);
        });
        answering("/long", exchange -> {
            exchange.sendResponseHeaders(200, Webhook.MAX_ANSWER_BYTES + 1);
            exchange.getResponseBody().write(new byte[Webhook.MAX_ANSWER_BYTES + 1]);
        });
        answering("/longest", exchange -> {
            exchange.sendResponseHeaders(200, Webhook.MAX_ANSWER_BYTES);
            exchange.getResponseBody().write(new byte[Webhook.MAX_ANSWER_BYTES]);
        });
        server.start();
    }

    private void answering(String path, HttpHandler answer) {
        server.createContext(path, exchange -> {
            try (exchange) {
                posted.add(posted(exchange));
                answer.handle(exchange);
            }
        });
    }

    private static Posted posted(HttpExchange exchange) throws IOException {
        return new Posted(
                exchange.getRequestMethod(),
                exchange.getRequestHeaders().getFirst(Webhook.SIGNATURE),
                exchange.getRequestHeaders().getFirst("Content-Type"),
                new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Optional<String> post(String path, RebuildReport report) throws InterruptedException {
        return post(server.getAddress().getPort(), path, LONG, report);
    }

    private static Optional<String> post(int port, String path, Duration timeout, RebuildReport report)
            throws InterruptedException {
        WebhookOptions options = new WebhookOptions("http://127.0.0.1:" + port + path, "HOOK_SECRET");
        return new Webhook(options, ENVIRONMENT, timeout).post(report);
    }

    @Test
    void theReportArrivesWithTheMacOfItsOctets() throws Exception {
        assertEquals(Optional.empty(), post("/ok", SampleReport.PUBLISHED));
        Posted one = posted.getFirst();
        assertEquals("POST", one.method());
        assertEquals("application/json", one.type());
        assertEquals(ReportJson.of(SampleReport.PUBLISHED), one.body());
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("key".getBytes(UTF_8), "HmacSHA256"));
        assertEquals("sha256=" + HexFormat.of().formatHex(mac.doFinal(one.body().getBytes(UTF_8))), one.signature());
    }

    @Test
    void whatIsNotDueIsNotTold() throws Exception {
        RebuildReport notDue = RebuildReport.notDue("nightly", Optional.empty(), SampleReport.PUBLISHED.startedAt());
        assertEquals(Optional.empty(), post("/ok", notDue));
        assertEquals(List.of(), posted);
    }

    @Test
    void answersThatAreNoConsentAreFaultsAndNobodyIsSentElsewhere() throws Exception {
        assertEquals(Optional.of("127.0.0.1 answered with status 503"), post("/busy", SampleReport.PUBLISHED));
        assertEquals(Optional.of("127.0.0.1 answered with status 307"), post("/moved", SampleReport.PUBLISHED));
        assertEquals(2, posted.size());
    }

    @Test
    void anAnswerHasABound() throws Exception {
        assertEquals(Optional.empty(), post("/longest", SampleReport.PUBLISHED));
        String fault = post("/long", SampleReport.PUBLISHED).orElseThrow();
        assertTrue(fault.contains("its answer is longer than 65536 octets"), fault);
    }

    @Test
    void aServerThatNeverAnswersHoldsNobodyUp() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Optional<String> fault = post(silent.getLocalPort(), "/", Duration.ofMillis(200), SampleReport.PUBLISHED);
            assertEquals(Optional.of("127.0.0.1 did not answer within 200 ms"), fault);
        }
    }

    @Test
    void aServerThatIsNotThereIsAFaultThatDoesNotTellThePath() throws Exception {
        int port = server.getAddress().getPort();
        server.stop(0);
        String fault = post(port, "/T0KEN", LONG, SampleReport.PUBLISHED).orElseThrow();
        assertTrue(fault.startsWith("127.0.0.1: ") && !fault.contains("T0KEN"), fault);
    }

    @Test
    void withoutTheSecretNothingIsSent() throws Exception {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/ok";
        for (Map<String, String> environment : List.of(Map.<String, String>of(), Map.of("HOOK_SECRET", ""))) {
            Webhook webhook = new Webhook(new WebhookOptions(url, "HOOK_SECRET"), environment);
            assertTrue(webhook.post(SampleReport.PUBLISHED).orElseThrow().contains("HOOK_SECRET is not set"));
        }
        assertEquals(List.of(), posted);
    }

    @Test
    void aReportThatIsTooLongGoesWithoutItsDetails() {
        RetroReport.Example wide = new RetroReport.Example(
                "F5HQ6BRWC35W", SampleReport.PUBLISHED.startedAt(), List.of("k".repeat(Webhook.MAX_BODY_BYTES)));
        RebuildReport report = SampleReport.PUBLISHED.with(
                new RetroReport(SampleReport.PUBLISHED.startedAt(), 9, 1, 0, 0, List.of(wide)));
        String body = new String(Webhook.body(report), UTF_8);
        assertTrue(body.length() < Webhook.MAX_BODY_BYTES);
        assertTrue(body.contains("too long: feeds, changes, blast radius and examples are left out"), body);
        assertTrue(body.contains("\"holding\":1") && body.contains("\"feeds\":[]"), body);
    }
}
