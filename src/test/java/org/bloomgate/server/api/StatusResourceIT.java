package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lookup.tier.LayerSource;
import org.junit.jupiter.api.Test;

/// `/v1/status`, which the operator's page shows.
class StatusResourceIT {
    private static final LayerSource LAYERS = new SmallLayer()
            .lists(KeyKind.DOMAIN, "evil.example")
            .collides(new Key(KeyKind.DOMAIN, "twin.example"))
            .inForce();

    private static Decision rejected() {
        return new Decision(
                LiveService.CLOCK.instant(),
                "00000000AAAA",
                new Decision.Connection("192.0.2.7", "mail.sender.example", ""),
                new Decision.Envelope("someone@sender.example", List.of("victim@to.example"), List.of()),
                new Decision.Content(
                        new Decision.Heading("<1@sender.example>", "Dear victim@to.example", "someone@sender.example"),
                        1_234,
                        new Decision.Lookup(20, 1, List.of(), List.of(), List.of()),
                        List.of(),
                        Optional.empty()),
                new Decision.Outcome("listed", "reject", "reject", "sample", "phishing", "evil.example", Map.of()),
                new Decision.Processing(
                        "550 5.7.1 <victim@to.example> rejected",
                        "",
                        "",
                        SmallLayer.GENERATION,
                        Map.of("read", 1.5),
                        Optional.empty()));
    }

    private static HttpResponse<String> withToken(LiveService service, String token) {
        return service.send(token, "GET", "/v1/status", "");
    }

    @Test
    void status_showsStateAndFilterResults() throws Exception {
        try (LiveService service = LiveService.over(LAYERS)) {
            service.post("/v1/check", "{\"items\":[{\"kind\":\"domain\",\"value\":\"twin.example\"}]}");
            service.refusals.add(
                    new Condition("nightly", "nightly", "20260306T000000Z-0000", "domain.bloom: cut", Instant.EPOCH));
            JsonNode status = LiveService.json(service.get("/v1/status"));
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
            JsonNode status = LiveService.json(empty.get("/v1/status"));
            assertEquals("not ready", status.path("state").asText());
            assertEquals("no snapshot is in force", status.path("reason").asText());
        }
    }

    @Test
    void role_isThatOfTheToken() throws Exception {
        try (LiveService service = new LiveService(LAYERS, LiveService.WITH_TOKENS)) {
            assertEquals(
                    "admin",
                    LiveService.json(withToken(service, LiveService.ADMIN))
                            .path("role")
                            .asText());
            assertEquals(401, withToken(service, "wrong").statusCode());
        }
        try (LiveService off = LiveService.over(LAYERS)) {
            assertEquals(401, withToken(off, LiveService.ADMIN).statusCode());
        }
    }

    @Test
    void day_hasTotalsAndNoIdentifierOfAMessage() throws Exception {
        try (LiveService service = new LiveService(LAYERS, LiveService.WITH_TOKENS)) {
            Decision decision = rejected();
            service.journal.record(decision);
            service.journal.record(decision);
            HttpResponse<String> status = withToken(service, LiveService.ADMIN);
            JsonNode day = LiveService.json(status).path("day");
            assertEquals(2, day.at("/messages/reject").asInt());
            assertEquals("sample", day.at("/feeds/0/feed").asText());
            assertEquals(2, day.at("/feeds/0/messages/reject").asInt());
            assertEquals(3.0, day.at("/stages/0/totalMillis").asDouble());
            for (String text : List.of(decision.token(), "sender.example", "to.example", "192.0.2")) {
                assertFalse(status.body().contains(text), text);
            }
        }
    }
}
