package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Parameters, pages and started changes of the routes that search.
class SearchParametersIT {
    private final LiveService service = new LiveService(
            SmallLayer.none(),
            RecordCopy.with(
                    LiveService.OPTIONS, "operators", Map.of("ada", new Operator(Role.ADMIN, LiveService.ADMIN, 0))));

    @AfterEach
    void stop() {
        service.close();
    }

    private HttpResponse<String> send(String method, String path, String body) {
        return service.send(LiveService.ADMIN, method, path, body);
    }

    private JsonNode get(String path) throws IOException {
        return LiveService.json(send("GET", path, ""));
    }

    private static String cursor(String text) {
        return Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void wrongParameter_isNamed() throws IOException {
        for (String wrong : List.of(
                "decisions?token=short",
                "decisions?day=yesterday",
                "decisions?day=2026-02-31",
                "decisions?day=2026-01-01&since=7d",
                "decisions?before=now",
                "decisions?before=%2B1000000000-12-31T23:59:59Z",
                "decisions?day=%2B999999999-12-31",
                "shadow?since=-1000000000-01-01T00:00:00Z",
                "decisions?limit=201",
                "decisions?cursor=x",
                "audit?cursor=2026",
                "audit?before=soon",
                "audit?cursor=" + cursor("2026-01-02T03:04:05Z~4294967295"),
                "rebuilds?cursor=AAAA",
                "rebuilds?limit=0")) {
            HttpResponse<String> answer = send("GET", "/v1/" + wrong, "");
            assertEquals(400, answer.statusCode(), wrong);
            String name = wrong.replaceAll(".*[?]([a-z]+)=.*", "$1");
            JsonNode detail = new JsonMapper().readTree(answer.body()).get("detail");
            assertTrue(detail.asText().startsWith(name + ": "), wrong + " " + detail);
        }
    }

    @Test
    void auditPages_areEveryEventOnce() throws IOException {
        List<AuditEvent> events = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            events.add(AuditEvent.of(
                    LiveService.CLOCK.instant().plusSeconds(i / 3),
                    new Actor("ada", Actor.Way.HTTP, ""),
                    AuditEvent.What.LISTING_ADD,
                    "v" + i,
                    Map.of()));
        }
        new AuditLog(service.folder.resolve("local")).record(events);
        List<String> subjects = new ArrayList<>();
        Optional<String> cursor = Optional.of("");
        while (cursor.isPresent()) {
            JsonNode page = get("/v1/audit?limit=2&cursor=" + cursor.get());
            page.get("events")
                    .forEach(event -> subjects.add(event.get("subject").asText()));
            cursor = Optional.ofNullable(page.get("nextCursor")).map(JsonNode::asText);
        }
        assertEquals(List.of("v6", "v5", "v4", "v3", "v2", "v1", "v0"), subjects);
    }

    @Test
    void unchangedAnswer_is304() {
        for (String path : List.of("/v1/status", "/v1/status/hours", "/v1/configuration", "/openapi.json")) {
            HttpResponse<String> first = send("GET", path, "");
            String tag = first.headers().firstValue("ETag").orElseThrow();
            HttpResponse<String> unchanged = service.send(service.request(path, LiveService.ADMIN)
                    .header("If-None-Match", tag)
                    .build());
            assertEquals(304, unchanged.statusCode(), path);
            assertEquals("", unchanged.body());
            assertEquals(List.of("no-cache"), unchanged.headers().allValues("Cache-Control"));
            assertEquals(200, send("GET", path, "").statusCode());
        }
    }

    @Test
    void rebuild_isStartedOnceAndRecorded() throws IOException {
        HttpResponse<String> answer = send("POST", "/v1/rebuilds", "{\"layer\":\"hourly\"}");
        assertEquals(202, answer.statusCode(), answer.body());
        assertEquals(List.of("rebuild hourly - ada"), service.changes.started);
        assertEquals("rebuild", get("/v1/audit").at("/events/0/what").asText());
        service.changes.running =
                Optional.of(new LayerChanges.Running("hourly", "rebuild", LiveService.CLOCK.instant(), "ada"));
        assertEquals("hourly", get("/v1/rebuilds").at("/running/layer").asText());
        assertEquals(409, send("POST", "/v1/rebuilds", "{\"layer\":\"hourly\"}").statusCode());
        assertEquals(1, get("/v1/audit").get("events").size());
    }

    @Test
    void wrongLayerOrGeneration_startsNothing() throws IOException {
        Files.createDirectories(service.folder);
        for (String body : List.of(
                "{}", "{\"layer\":\"weekly\"}", "{\"layer\":\"nightly\",\"generation\":\"20260102T030405Z-1a2b\"}")) {
            assertEquals(400, send("POST", "/v1/rebuilds", body).statusCode(), body);
            assertEquals(400, send("POST", "/v1/rollback", body).statusCode(), body);
        }
        service.changes.obstacle = Optional.of("snapshots come from mirror.url");
        assertEquals(
                409, send("POST", "/v1/rebuilds", "{\"layer\":\"nightly\"}").statusCode());
        assertEquals(List.of(), service.changes.started);
    }
}
