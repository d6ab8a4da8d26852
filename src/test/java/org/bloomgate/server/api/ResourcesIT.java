package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.junit.jupiter.api.Test;

/// What each resource answers to a well-formed request, and at its own limits.
class ResourcesIT {
    private static final LayerSource LAYERS = new SmallLayer()
            .lists(KeyKind.DOMAIN, "evil.example")
            .collides(new Key(KeyKind.DOMAIN, "twin.example"))
            .inForce();
    private static final String MESSAGE = """
            From: a@sender.example\r
            Content-Type: text/html\r
            \r
            <a href="https://evil.example/login">x</a>\r
            """;

    private static String item(String kind, String value) {
        return "{\"kind\":\"" + kind + "\",\"value\":\"" + value + "\"}";
    }

    private static String items(int count) {
        return Collections.nCopies(count, item("domain", "good.example")).stream()
                .collect(Collectors.joining(",", "{\"items\":[", "]}"));
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String detail) {
        assertEquals(status, answer.statusCode(), answer.body());
        assertEquals(
                "application/problem+json",
                answer.headers().firstValue("Content-Type").orElse(""));
        assertTrue(answer.body().contains("\"detail\":\"" + detail), answer.body());
    }

    @Test
    void check_answersItemsInOrder() {
        try (LiveService service = LiveService.over(LAYERS)) {
            HttpResponse<String> answer = service.post(
                    "/v1/check",
                    "{\"items\":[" + item("url", "http://evil.example/x") + "," + item("domain", "twin.example")
                            + "]}");
            assertEquals(200, answer.statusCode());
            assertEquals("""
                    {"results":[{"kind":"url","value":"http://evil.example/x","verdict":"listed",\
                    "listings":[{"feed":"sample","category":"phishing","key":"evil.example",\
                    "firstSeen":"2026-01-02T03:04:05Z","lastSeen":"2026-03-04T05:06:07Z"}],"suspect":true},\
                    {"kind":"domain","value":"twin.example","verdict":"clean","listings":[],"suspect":true}]}""", answer.body());
            assertEquals(
                    "{\"results\":[]}",
                    service.post("/v1/check", "{\"items\":[]}").body());
        }
    }

    @Test
    void checkWithoutExactTier_isUnresolved() {
        LayerSource silent = new SmallLayer()
                .lists(KeyKind.DOMAIN, "evil.example")
                .fallSilent()
                .inForce();
        try (LiveService service = LiveService.over(silent)) {
            HttpResponse<String> answer =
                    service.post("/v1/check", "{\"items\":[" + item("domain", "evil.example") + "]}");
            assertEquals(200, answer.statusCode());
            assertTrue(answer.body().contains("\"verdict\":\"unresolved\""), answer.body());
        }
    }

    @Test
    void check_answersEachItemIndependently() {
        String wide = "\ufdfa".repeat(330);
        try (LiveService service = LiveService.over(LAYERS)) {
            HttpResponse<String> answer = service.post(
                    "/v1/check",
                    "{\"items\":["
                            + String.join(
                                    ",",
                                    item("address", "nobody"),
                                    item("domain", wide + ".good.example"),
                                    item("url", "http://" + wide + ".evil.example/"),
                                    item("domain", "evil.example"))
                            + "]}");
            assertEquals(200, answer.statusCode(), answer.body());
            assertEquals(
                    List.of("reason", "reason", "-", "-"),
                    Pattern.compile("\"suspect\":(true|false)(,\"reason\":\"[^\"]+\")?}")
                            .matcher(answer.body())
                            .results()
                            .map(result -> result.group(2) == null ? "-" : "reason")
                            .toList());
            assertEquals(
                    List.of("unresolved", "unresolved", "listed", "listed"),
                    Pattern.compile("\"verdict\":\"(.*?)\"")
                            .matcher(answer.body())
                            .results()
                            .map(verdict -> verdict.group(1))
                            .toList());
        }
    }

    @Test
    void check_acceptsItemsUpToTheLimit() {
        try (LiveService service = LiveService.over(LAYERS)) {
            int limit = LiveService.OPTIONS.maxItems();
            assertEquals(200, service.post("/v1/check", items(limit)).statusCode());
            assertProblem(service.post("/v1/check", items(limit + 1)), 413, "at most " + limit);
        }
    }

    @Test
    void check_namesTheInvalidItem() {
        try (LiveService service = LiveService.over(LAYERS)) {
            String good = item("domain", "good.example");
            assertProblem(
                    service.post("/v1/check", "{\"items\":[" + good + "," + item("host", "x.example") + "]}"),
                    400,
                    "items[1].kind: expected one of address, domain, url, password");
            assertProblem(service.post("/v1/check", "{\"items\":[null]}"), 400, "expected");
        }
    }

    private static final String RESULT = """
            {"file":"-","verdict":"listed","action":"reject","enforced":"reject","identifiers":[\
            {"kind":"address","value":"a@sender.example","where":"header:From","verdict":"clean"},\
            {"kind":"url","value":"https://evil.example/login","where":"link","verdict":"listed",\
            "listings":[{"feed":"sample","category":"phishing"}]}],\
            "limits":[],"recorded":""";

    private static final String COUNT = "bloomgate_messages_total{action=\"reject\",verdict=\"listed\"} ";
    private static final String KEYS = "bloomgate_lookup_keys_total ";

    private static HttpResponse<String> scan(LiveService service, String query, String authorization) {
        return service.send(HttpRequest.newBuilder(service.uri("/v1/messages" + query))
                .header("Content-Type", "message/rfc822")
                .header("Authorization", authorization)
                .POST(BodyPublishers.ofString(MESSAGE))
                .build());
    }

    @Test
    void message_isATestThatLeavesNoTrace() {
        try (LiveService service = LiveService.over(LAYERS)) {
            for (String query : List.of("", "?record=false", "?dns=false")) {
                HttpResponse<String> answer = service.post(
                        "/v1/messages" + query, "message/rfc822", MESSAGE.getBytes(StandardCharsets.UTF_8));
                assertEquals(RESULT + "false}", answer.body());
                assertTrue(answer.headers().firstValue("X-Bloomgate-Token").isEmpty());
            }
            assertTrue(service.journal.isEmpty());
            String metrics = service.get("/metrics").body();
            assertTrue(metrics.contains("\n" + COUNT + "0.0") && metrics.contains("\n" + KEYS + "0.0"), metrics);
        }
    }

    @Test
    void recordedMessage_countsAsOneBySmtp() {
        HttpOptions options = RecordCopy.with(
                LiveService.OPTIONS,
                "operators",
                Map.of("scanner", new Operator(Role.CLIENT, "the-token-of-a-scanner", 0)));
        try (LiveService service = new LiveService(LAYERS, options)) {
            HttpResponse<String> answer = scan(service, "?record=true", "Bearer the-token-of-a-scanner");
            String token = answer.headers().firstValue("X-Bloomgate-Token").orElseThrow();
            assertEquals(RESULT + "true,\"token\":\"" + token + "\"}", answer.body());
            Decision decision = service.journal.find(token).orElseThrow();
            assertEquals("http", decision.connection().client());
            assertEquals("listed", decision.outcome().verdict());
            assertEquals(MESSAGE.length(), decision.content().sizeBytes());
            assertEquals(
                    "evil.example",
                    decision.content().lookup().found().getFirst().key());
            assertEquals(SmallLayer.GENERATION, decision.processing().snapshot());
            String metrics = service.get("/metrics").body();
            assertTrue(metrics.contains("\n" + COUNT + "1.0") && !metrics.contains("\n" + KEYS + "0.0"), metrics);
        }
    }

    @Test
    void record_needsATokenAlsoWhereTheGroupIsOpen() {
        try (LiveService service = LiveService.over(LAYERS)) {
            HttpResponse<String> answer = scan(service, "?record=true", "");
            assertProblem(answer, 401, "record=true: send Authorization");
            assertTrue(answer.body().contains("/problems/token-required"), answer.body());
            assertProblem(scan(service, "?record=yes", ""), 400, "record: true or false");
            assertTrue(service.journal.isEmpty());
        }
    }

    @Test
    void message_isAcceptedUpToTheLimit() {
        try (LiveService service = LiveService.over(LAYERS)) {
            int limit = (int) LiveService.OPTIONS.maxMessageBytes();
            byte[] atLimit = (MESSAGE + " ".repeat(limit - MESSAGE.length())).getBytes(StandardCharsets.UTF_8);
            byte[] beyond = java.util.Arrays.copyOf(atLimit, limit + 1);
            assertEquals(
                    200, service.post("/v1/messages", "message/rfc822", atLimit).statusCode());
            assertEquals(200, service.send(chunked(service, atLimit)).statusCode());
            assertEquals(
                    413, service.post("/v1/messages", "message/rfc822", beyond).statusCode());
            assertEquals(413, service.send(chunked(service, beyond)).statusCode());
        }
    }

    private static HttpRequest chunked(LiveService service, byte[] message) {
        return HttpRequest.newBuilder(service.uri("/v1/messages"))
                .header("Content-Type", "message/rfc822")
                .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(message)))
                .build();
    }

    @Test
    void health_distinguishesLiveFromReady() {
        try (LiveService ready = LiveService.over(LAYERS);
                LiveService empty = LiveService.over(SmallLayer.none())) {
            assertEquals("{\"status\":\"live\"}", empty.get("/health/live").body());
            assertEquals(
                    "{\"status\":\"ready\",\"snapshot\":\"" + SmallLayer.GENERATION + "\"}",
                    ready.get("/health/ready").body());
            assertProblem(empty.get("/health/ready"), 503, "no snapshot is in force");
            ready.refusals.add(
                    new Condition("nightly", "nightly", "20260303T020000Z-0000", "domain.bloom: cut", Instant.EPOCH));
            String refused = ready.get("/health/ready").body();
            assertTrue(refused.contains("\"status\":\"ready\""), refused);
            assertTrue(refused.contains("\"generation\":\"20260303T020000Z-0000\""), refused);
            assertTrue(refused.contains("\"reason\":\"domain.bloom: cut\""), refused);
        }
    }

    @Test
    void metrics_haveLookupAndMessageCounts() {
        try (LiveService service = LiveService.over(LAYERS)) {
            service.post("/v1/check", "{\"items\":[" + item("domain", "evil.example") + "]}");
            service.post("/v1/check", "{\"items\":[" + item("domain", "twin.example") + "]}");
            service.post("/v1/check", "{");
            HttpResponse<String> answer = service.get("/metrics");
            assertEquals(
                    "text/plain; version=0.0.4; charset=utf-8",
                    answer.headers().firstValue("Content-Type").orElse(""));
            for (String line : new String[] {
                "bloomgate_lookup_keys_total 8.0",
                "bloomgate_lookup_suspects_total 2.0",
                "bloomgate_lookup_confirmed_total 1.0",
                "bloomgate_lookup_refuted_total 1.0",
                "bloomgate_lookup_unknown_total 0.0",
                "bloomgate_snapshot_age_seconds{layer=\"nightly\"} 60.0",
                "bloomgate_snapshot_info{generation=\"20260305T010203Z\",layer=\"nightly\"} 1",
                "bloomgate_filter_entries{kind=\"domain\",layer=\"nightly\"} 2.0",
                "bloomgate_filter_bytes{kind=\"domain\",layer=\"nightly\"} ",
                "bloomgate_filter_fill_ratio{kind=\"domain\",layer=\"nightly\"} ",
                "bloomgate_filter_design_false_positive_ratio{kind=\"domain\",layer=\"nightly\"} 1.0E-6",
                "bloomgate_filter_keys_total{kind=\"domain\",layer=\"nightly\"} 8.0",
                "bloomgate_filter_refuted_total{kind=\"domain\",layer=\"nightly\"} 1.0",
                "bloomgate_ready 1.0",
                "bloomgate_http_requests_seconds_count{resource=\"/v1/check\",status=\"200\"} 2",
                "bloomgate_http_requests_seconds_count{resource=\"/v1/check\",status=\"400\"} 1",
                "jvm_memory_used_bytes{",
            }) {
                assertTrue(answer.body().contains("\n" + line), line + "\nnot in\n" + answer.body());
            }
        }
    }
}
