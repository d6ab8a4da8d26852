package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.Decision.Found;
import org.bloomgate.lists.snapshot.Refusal;
import org.bloomgate.lookup.lookup.LayerSource;
import org.bloomgate.server.http.HttpOptions;
import org.junit.jupiter.api.Test;

/// `/v1/status`, which the operator's page shows.
class StatusResourceIT {
    private static final String TOKEN = "a-token-of-some-length";
    private static final HttpOptions WITH_TOKEN = new HttpOptions(
            ListenAddress.of("127.0.0.1:0"),
            TOKEN,
            100,
            64 * 1024,
            512 * 1024,
            10,
            Duration.ofSeconds(10),
            HttpOptions.Tls.none(),
            0,
            HttpOptions.defaults().open(),
            Map.of(),
            List.of());
    private static final LayerSource LAYERS = new SmallLayer()
            .lists(KeyKind.DOMAIN, "evil.example")
            .collides(new Key(KeyKind.DOMAIN, "twin.example"))
            .inForce();

    private static final String HOSTILE = "\"<script>x</script>\u202e\"@sender.example";

    private static Decision hostile(String token) {
        return new Decision(
                LiveService.CLOCK.instant(),
                token,
                "192.0.2.7",
                "<img src=x>",
                "",
                HOSTILE,
                List.of("victim@to.example"),
                List.of(),
                "<1@sender.example>",
                "Dear victim@to.example",
                HOSTILE,
                1_234,
                20,
                1,
                List.of(
                        new Found(
                                "url",
                                "http://evil.example/?to=victim%40to.example",
                                "link",
                                "listed",
                                "evil.example/",
                                "",
                                "sample",
                                "phishing",
                                Optional.empty(),
                                ""),
                        new Found(
                                "address",
                                "someone@evil.example",
                                "header:From",
                                "listed",
                                "someone@evil.example",
                                "",
                                "sample",
                                "phishing",
                                Optional.empty(),
                                ""),
                        new Found(
                                "network",
                                "192.0.2.66",
                                "client",
                                "listed",
                                "192.0.2.66/32",
                                "",
                                "sample",
                                "spam",
                                Optional.empty(),
                                "")),
                List.of(),
                List.of(),
                List.of(),
                "listed",
                "reject",
                "reject",
                "sample",
                "phishing",
                "http://evil.example/?to=victim%40to.example",
                Map.of(),
                "550 5.7.1 <victim@to.example> refused for 192.0.2.66",
                "",
                "",
                SmallLayer.GENERATION,
                Map.of("read", 1.5),
                Optional.empty());
    }

    private static JsonNode json(HttpResponse<String> answer) throws IOException {
        assertEquals(200, answer.statusCode(), answer::body);
        return new JsonMapper().readTree(answer.body());
    }

    private static HttpResponse<String> withToken(LiveService service, String token) {
        return service.send(HttpRequest.newBuilder(service.uri("/v1/status"))
                .header("Authorization", "Bearer " + token)
                .build());
    }

    @Test
    void everybodySeesTheStateAndWhatCameOfTheFilters() throws Exception {
        try (LiveService service = LiveService.over(LAYERS)) {
            service.post("/v1/check", "{\"items\":[{\"kind\":\"domain\",\"value\":\"twin.example\"}]}");
            service.refusals.add(new Refusal("nightly", "20260306T000000Z-0000", "domain.bloom: cut", Instant.EPOCH));
            JsonNode status = json(service.get("/v1/status"));
            assertEquals("ready", status.path("state").asText());
            assertFalse(status.has("reason"), status::toString);
            assertEquals(
                    LiveService.CLOCK.instant().toString(), status.path("time").asText());
            assertEquals("none", status.path("role").asText());
            assertEquals("domain.bloom: cut", status.at("/refused/0/reason").asText());
            JsonNode filter = status.at("/layers/0/filters/0");
            assertEquals("domain", filter.path("kind").asText());
            assertEquals(2, filter.path("entries").asInt());
            assertEquals(1, filter.path("refuted").asInt());
            assertEquals(1e-6, filter.path("designRate").asDouble());
            assertEquals(1, status.at("/totals/refuted").asInt());
        }
        try (LiveService empty = LiveService.over(SmallLayer.none())) {
            JsonNode status = json(empty.get("/v1/status"));
            assertEquals("not ready", status.path("state").asText());
            assertEquals("no snapshot is in force", status.path("reason").asText());
        }
    }

    @Test
    void peopleAreMaskedWithoutTheTokenAndShownWithIt() throws Exception {
        try (LiveService service = new LiveService(LAYERS, WITH_TOKEN)) {
            service.journal.record(hostile("00000000AAAA"));
            String masked = service.get("/v1/status").body();
            JsonNode decision = json(service.get("/v1/status")).at("/decisions/0");
            assertEquals("00000000AAAA", decision.path("token").asText());
            assertEquals("***@sender.example", decision.path("mailFrom").asText());
            assertEquals("192.0.2.***", decision.path("client").asText());
            assertEquals(
                    "550 5.7.1 <***@to.example> refused for 192.0.2.***",
                    decision.path("reply").asText());
            assertEquals("http://evil.example/***", decision.at("/why/0/value").asText());
            assertEquals("***@evil.example", decision.at("/why/1/key").asText());
            assertEquals("192.0.2.***", decision.at("/why/2/value").asText());
            assertEquals("192.0.2.***/32", decision.at("/why/2/key").asText());
            assertFalse(masked.contains("192.0.2.66"), masked);
            assertFalse(masked.contains("victim") || masked.contains("someone") || masked.contains("<script>"), masked);

            JsonNode whole = json(withToken(service, TOKEN));
            assertEquals("admin", whole.path("role").asText());
            assertEquals(HOSTILE, whole.at("/decisions/0/mailFrom").asText());
            assertEquals(
                    "victim@to.example", whole.at("/decisions/0/recipients/0").asText());
            assertEquals(401, withToken(service, "wrong").statusCode());
        }
        try (LiveService off = LiveService.over(LAYERS)) {
            assertEquals(401, withToken(off, TOKEN).statusCode());
        }
    }

    @Test
    void theLastDayIsHandedOutByTheMinute() throws Exception {
        try (LiveService service = LiveService.over(LAYERS)) {
            assertEquals(0, json(service.get("/v1/status")).at("/day/minutes").size());
            service.journal.record(hostile("00000000AAAA"));
            service.journal.record(hostile("00000000AAAB"));
            JsonNode day = json(service.get("/v1/status")).path("day");
            assertEquals(2, day.at("/messages/reject").asInt());
            assertEquals(1_440, day.at("/minutes/reject").size());
            assertEquals(2, day.at("/minutes/reject/1439").asInt());
            assertEquals("sample", day.at("/feeds/0/feed").asText());
            assertEquals(2, day.at("/feeds/0/messages/reject").asInt());
            assertEquals(3.0, day.at("/stages/0/totalMillis").asDouble());
        }
    }

    @Test
    void theAnswerIsBoundedWhateverSendersWrite() throws Exception {
        String huge = "\u202e<".repeat(256);
        List<Found> found = Collections.nCopies(
                20, new Found("url", huge, huge, "listed", huge, "", "sample", "phishing", Optional.empty(), huge));
        try (LiveService service = new LiveService(LAYERS, WITH_TOKEN)) {
            for (int i = 0; i < 50; i++) {
                service.journal.record(new Decision(
                        Instant.EPOCH,
                        "%012d".formatted(i),
                        huge,
                        huge,
                        huge,
                        huge,
                        Collections.nCopies(50, huge),
                        List.of(),
                        huge,
                        huge,
                        huge,
                        1,
                        1,
                        1,
                        found,
                        List.of(),
                        List.of(),
                        List.of(),
                        "listed",
                        "reject",
                        "",
                        huge,
                        huge,
                        huge,
                        Map.of(huge, "reject"),
                        huge,
                        huge,
                        "",
                        "",
                        Map.of(),
                        Optional.empty()));
            }
            HttpResponse<String> answer = withToken(service, TOKEN);
            JsonNode decision = json(answer).at("/decisions/0");
            assertEquals(5, decision.path("why").size());
            assertEquals(20, decision.path("whyCount").asInt());
            assertEquals(5, decision.path("recipients").size());
            assertEquals(50, decision.path("recipientCount").asInt());
            assertEquals(201, decision.path("mailFrom").asText().length());
            int bytes = answer.body().getBytes(StandardCharsets.UTF_8).length;
            assertTrue(bytes < 2_000_000, () -> bytes + " bytes");
        }
    }
}
