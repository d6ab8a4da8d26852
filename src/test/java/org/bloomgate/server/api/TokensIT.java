package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.bloomgate.RecordCopy;
import org.bloomgate.server.http.HostField;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may see, who may change, and pages of elsewhere.
class TokensIT {
    private static final String ADMIN = "the-admin-token-of-the-test";
    private static final String READER = "the-token-of-a-reader";

    private static HttpOptions options(String admin, String reader, List<String> hosts) {
        HttpOptions tokens = RecordCopy.with(
                RecordCopy.with(LiveService.OPTIONS, "adminToken", admin),
                "operators",
                reader.isEmpty() ? Map.of() : Map.of("reader", new Operator(Role.READER, reader, 0)));
        return RecordCopy.with(
                tokens, "hosts", hosts.stream().map(HostField::of).toList());
    }

    private static LiveService service(List<String> hosts) {
        return new LiveService(SmallLayer.none(), options(ADMIN, READER, hosts));
    }

    private static HttpResponse<String> get(LiveService service, String path, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.uri(path));
        return service.send((token.isEmpty() ? request : request.header("Authorization", "Bearer " + token)).build());
    }

    private static int post(LiveService service, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.uri(path))
                .header("Content-Type", "application/json")
                .method("POST", BodyPublishers.ofString(body));
        return service.send((headers.length == 0 ? request : request.headers(headers)).build())
                .statusCode();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/decisions",
                "/v1/listings",
                "/v1/exceptions",
                "/v1/feeds/report",
                "/v1/shadow",
                "/v1/explain?value=a.example"
            })
    void reader_sees(String path) {
        try (LiveService service = service(List.of())) {
            assertEquals(200, get(service, path, READER).statusCode());
            assertEquals(200, get(service, path, ADMIN).statusCode());
            assertEquals(401, get(service, path, "").statusCode());
            assertEquals(401, get(service, path, READER + "x").statusCode());
        }
    }

    @Test
    void unauthorizedClient_learnsNothingOfTheQuery() {
        try (LiveService service = service(List.of())) {
            for (String path : List.of("/v1/decisions", "/v1/listings", "/v1/explain", "/v1/quarantine")) {
                assertEquals(401, get(service, path + "?other=1", "wrong").statusCode(), path);
                assertEquals(400, get(service, path + "?other=1", READER).statusCode(), path);
            }
            HttpResponse<String> status = get(service, "/v1/status", "wrong");
            assertEquals(401, status.statusCode());
            assertTrue(status.body().contains("reader, quarantine, admin"), status.body());
        }
    }

    @Test
    void reader_changesNothing() {
        try (LiveService service = service(List.of())) {
            String body = "{\"kind\":\"domain\",\"value\":\"a.example\"}";
            for (String path : List.of("/v1/listings", "/v1/exceptions")) {
                assertEquals(403, post(service, path, body, "Authorization", "Bearer " + READER));
                assertFalse(get(service, path, READER).body().contains("a.example"));
            }
        }
    }

    @Test
    void status_namesTheRole() {
        try (LiveService service = service(List.of())) {
            assertTrue(get(service, "/v1/status", READER).body().contains("\"role\":\"reader\""));
            assertTrue(get(service, "/v1/status", ADMIN).body().contains("\"role\":\"admin\""));
            assertTrue(get(service, "/v1/status", "").body().contains("\"role\":\"none\""));
        }
    }

    @Test
    void withoutTokens_protectedPathsStayClosed() {
        try (LiveService service = new LiveService(SmallLayer.none(), options("", "", List.of()))) {
            HttpResponse<String> refused = get(service, "/v1/decisions", "");
            assertEquals(401, refused.statusCode());
            assertTrue(refused.body().contains("set http.adminToken or http.operators"), refused.body());
            assertEquals(401, get(service, "/v1/decisions", "another-token").statusCode());
        }
    }

    @Test
    void invalidSearchParameter_isAnswered400() {
        try (LiveService service = service(List.of())) {
            for (String query : List.of("limit=0", "limit=201", "limit=x", "since=yesterday", "from=a@b.example")) {
                assertEquals(400, get(service, "/v1/decisions?" + query, READER).statusCode(), query);
            }
            assertEquals(
                    200,
                    get(service, "/v1/decisions?since=2026-01-31T12:00:00Z&limit=200", READER)
                            .statusCode());
        }
    }

    @Test
    void postOfAnotherOrigin_isAnswered403() {
        try (LiveService service = service(List.of())) {
            String body = "{\"password\":\"x\"}";
            String own = "http://" + service.uri("/").getAuthority();
            assertEquals(503, post(service, "/v1/passwords", body), "without a snapshot nobody knows");
            assertEquals(503, post(service, "/v1/passwords", body, "Origin", own));
            assertEquals(503, post(service, "/v1/passwords", body, "Sec-Fetch-Site", "same-origin"));
            assertEquals(403, post(service, "/v1/passwords", body, "Origin", "http://evil.example"));
            assertEquals(403, post(service, "/v1/passwords", body, "Origin", "null"));
            assertEquals(403, post(service, "/v1/passwords", body, "Sec-Fetch-Site", "cross-site"));
            assertEquals(403, post(service, "/v1/messages", "x", "Origin", "http://evil.example"));
        }
    }

    @Test
    void requestForAnotherHost_isAnswered421() throws IOException {
        String request = "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n";
        try (LiveService service = service(List.of("Gate.Example"))) {
            for (String path : List.of("/v1/status", "/")) {
                String answer = service.raw(request.formatted(path, "gate.example:8080"));
                assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
                answer = service.raw(request.formatted(path, "other.example"));
                assertTrue(answer.startsWith("HTTP/1.1 421 "), answer);
            }
            String live = service.raw(request.formatted("/health/live", "other.example"));
            assertTrue(live.startsWith("HTTP/1.1 200 "), live);
        }
    }
}
