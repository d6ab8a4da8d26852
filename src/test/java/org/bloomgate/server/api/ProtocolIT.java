package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.ProblemType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is wrong with a request, whatever resource it is for, and what becomes of it.
class ProtocolIT {
    private static final LayerSource LAYERS =
            new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();

    private static final String CHUNKED = """
            POST /v1/check HTTP/1.1\r
            Host: localhost\r
            Content-Type: application/json\r
            Transfer-Encoding: chunked\r
            \r
            """;

    private static void assertProblem(HttpResponse<String> answer, int status) {
        assertEquals(status, answer.statusCode(), answer.body());
        assertEquals(
                "application/problem+json",
                answer.headers().firstValue("Content-Type").orElse(""));
        assertTrue(answer.body().contains("\"status\":" + status), answer.body());
    }

    @ParameterizedTest
    @CsvSource({"DELETE, /v1/passwords, POST", "GET, /v1/check, POST", "PUT, /v1/messages, POST"})
    void methodNotAllowed_isAnsweredWithThoseAllowed(String method, String path, String allowed) {
        try (LiveService service = LiveService.over(LAYERS)) {
            HttpResponse<String> answer = service.send(HttpRequest.newBuilder(service.uri(path))
                    .method(method, BodyPublishers.noBody())
                    .build());
            assertProblem(answer, 405);
            assertEquals(allowed, answer.headers().firstValue("Allow").orElse(""));
        }
    }

    @Test
    void addressInUse_isNamedAtTheStart() {
        try (LiveService first = LiveService.over(LAYERS)) {
            String taken = "127.0.0.1:" + first.port();
            HttpOptions same = RecordCopy.with(LiveService.OPTIONS, "listen", ListenAddress.of(taken));
            UncheckedIOException refused =
                    assertThrows(UncheckedIOException.class, () -> new LiveService(LAYERS, same));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("http.listen: cannot listen on " + taken),
                    refused::getMessage);
        }
    }

    @Test
    void head_isAnsweredWhereGetIs() {
        try (LiveService service = LiveService.over(LAYERS)) {
            HttpResponse<String> answer = service.send(
                    HttpRequest.newBuilder(service.uri("/health/ready")).HEAD().build());
            assertEquals(200, answer.statusCode());
            assertEquals("", answer.body());
            HttpResponse<String> post = service.post("/health/ready", "{}");
            assertProblem(post, 405);
            assertEquals("GET, HEAD", post.headers().firstValue("Allow").orElse(""));
        }
    }

    @ParameterizedTest
    @CsvSource({"/v1", "/v1/passwords/x", "/v1/passwordsx", "/V1/passwords", "/../etc/passwd", "/%2e%2e/x"})
    void unknownPath_isAnswered404(String path) {
        try (LiveService service = LiveService.over(LAYERS)) {
            assertProblem(service.get(path), 404);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/passwords, text/plain",
        "/v1/passwords, application/x-www-form-urlencoded",
        "/v1/check, application/xml",
        "/v1/messages, application/json",
        "/v1/messages, multipart/form-data",
        "/v1/check, ;;;/"
    })
    void unsupportedMediaType_isAnsweredWithTheOneSupported(String path, String mediaType) {
        try (LiveService service = LiveService.over(LAYERS)) {
            HttpResponse<String> answer = service.post(path, mediaType, new byte[] {'{', '}'});
            assertProblem(answer, 415);
            assertTrue(answer.body().contains("send Content-Type: "), answer.body());
        }
    }

    @Test
    void mediaTypeWithParameters_isAccepted() {
        try (LiveService service = LiveService.over(LAYERS)) {
            byte[] body = "{\"items\":[]}".getBytes(StandardCharsets.UTF_8);
            assertEquals(
                    200,
                    service.post("/v1/check", "application/json; charset=utf-8", body)
                            .statusCode());
        }
    }

    @Test
    void bodyBeyondTheLimit_isAnswered413() {
        try (LiveService service = LiveService.over(LAYERS)) {
            String beyond = "{\"items\":[" + " ".repeat((int) LiveService.OPTIONS.maxBodyBytes()) + "]}";
            assertProblem(service.post("/v1/check", beyond), 413);
            assertProblem(
                    service.send(HttpRequest.newBuilder(service.uri("/v1/check"))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofInputStream(
                                    () -> new java.io.ByteArrayInputStream(beyond.getBytes(StandardCharsets.UTF_8))))
                            .build()),
                    413);
            assertEquals(200, service.get("/health/live").statusCode());
        }
    }

    @Test
    void bodyAtTheLimit_isAccepted() {
        try (LiveService service = LiveService.over(LAYERS)) {
            String around = "{\"items\":[]}";
            String atLimit = around + " ".repeat((int) LiveService.OPTIONS.maxBodyBytes() - around.length());
            assertEquals(200, service.post("/v1/check", atLimit).statusCode());
        }
    }

    @Test
    void announcedBodyTooLarge_getsNo100Continue() throws IOException {
        try (LiveService service = LiveService.over(LAYERS)) {
            String answer = service.raw("""
                POST /v1/check HTTP/1.1\r
                Host: localhost\r
                Content-Type: application/json\r
                Content-Length: 100000\r
                Expect: 100-continue\r
                \r
                """);
            assertTrue(answer.startsWith("HTTP/1.1 413 "), answer);
            assertTrue(answer.contains("application/problem+json"), answer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GARBAGE\r\n\r\n",
                "GET /health/live\r\n\r\n",
                "\u0016\u0003\u0001\r\n\r\n",
                "GET / HTTP/1.1\r\nHost x\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
                CHUNKED + "zz\r\n",
                CHUNKED + "-1\r\n",
                CHUNKED + "7fffffff\r\n"
            })
    void malformedRequest_isAProblem(String bytes) throws IOException {
        try (LiveService service = LiveService.over(LAYERS)) {
            String answer = service.raw(bytes);
            assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
            assertTrue(answer.contains("application/problem+json"), answer);
            assertEquals(200, service.get("/health/live").statusCode());
        }
    }

    @Test
    void headersBeyondTheLimit_areRejected() throws IOException {
        try (LiveService service = LiveService.over(LAYERS)) {
            String answer = service.raw(
                    "GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "x".repeat(20_000) + "\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
        }
    }

    @Test
    void internalFault_isAnswered500WithoutDetails() {
        LayerSource broken = () -> {
            throw new IllegalStateException("secret detail");
        };
        try (LiveService service = LiveService.over(broken)) {
            HttpResponse<String> answer = service.get("/health/ready");
            assertProblem(answer, 500);
            assertEquals(
                    "{\"type\":\"about:blank\",\"title\":\"Internal Server Error\",\"status\":500,"
                            + "\"detail\":\"the fault is in the log of the server\"}",
                    answer.body());
            String log = service.log();
            assertEquals(2, log.split("/health/ready failed: java.lang.IllegalStateException", -1).length, log);
            assertFalse(log.contains("secret detail"), log);
        }
    }

    @Test
    void connection_isKeptForTheNextRequest() throws IOException {
        try (LiveService service = LiveService.over(LAYERS)) {
            String request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
            String last = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            String answers = service.raw(request + request + last);
            assertEquals(4, answers.split("HTTP/1.1 200 ", -1).length, answers);
        }
    }

    @Test
    void largeAnswer_isCompressedForClientsThatAcceptIt() {
        try (LiveService service = LiveService.over(LAYERS)) {
            HttpResponse<String> plain = service.get("/openapi.json");
            HttpResponse<String> packed = packed(service, "/openapi.json", "GET");
            HttpResponse<String> head = packed(service, "/openapi.json", "HEAD");
            assertEquals("", header(plain, "Content-Encoding"));
            assertEquals("Accept-Encoding", header(plain, "Vary"));
            assertEquals("gzip", header(packed, "Content-Encoding"));
            assertEquals("Accept-Encoding", header(packed, "Vary"));
            int length = Integer.parseInt(header(packed, "Content-Length"));
            assertTrue(length < plain.body().length() / 5, length + " bytes");
            assertEquals(header(packed, "Content-Length"), header(head, "Content-Length"));
            assertEquals("", header(packed(service, "/health/live", "GET"), "Content-Encoding"));
        }
    }

    private static HttpResponse<String> packed(LiveService service, String path, String method) {
        return service.send(HttpRequest.newBuilder(service.uri(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .header("Accept-Encoding", "gzip")
                .build());
    }

    private static String header(HttpResponse<String> answer, String name) {
        return String.join("; ", answer.headers().allValues(name));
    }

    @Test
    void problemType_isExplainedAsText() {
        try (LiveService service = LiveService.over(LAYERS)) {
            for (ProblemType type : ProblemType.values()) {
                HttpResponse<String> answer = service.get(ProblemType.PATH + type.label());
                assertEquals("text/plain; charset=utf-8", header(answer, "Content-Type"));
                assertEquals(type.label() + " (" + type.status() + ")\n\n" + type.text() + "\n", answer.body());
            }
            assertProblem(service.get("/problems/none"), 404);
        }
    }
}
