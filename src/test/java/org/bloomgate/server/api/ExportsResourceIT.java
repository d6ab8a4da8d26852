package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.bloomgate.lists.export.ExportReport;
import org.bloomgate.server.http.FileStreams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportsResourceIT {
    private static final String CONTENT = "deny 192.0.2.0/24;\n";

    private final LiveService service = new LiveService(SmallLayer.none(), LiveService.WITH_TOKENS);

    @TempDir
    Path folder;

    @BeforeEach
    void export() throws IOException {
        Path file = Files.writeString(folder.resolve("nginx"), CONTENT);
        Path packed = folder.resolve("nginx.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(file, out);
        }
        service.exports = name -> switch (name) {
            case "nginx" ->
                Optional.of(new ExportCopies.Copy(
                        "text/plain", file, packed, new ExportReport(1, 0, Map.of(), List.of("own"))));
            case "own" ->
                Optional.of(new ExportCopies.Copy(
                        "text/plain", file, packed, new ExportReport(0, 0, Map.of(), List.of("own"))));
            default -> Optional.empty();
        };
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private HttpRequest.Builder request(String name) {
        return service.request("/v1/exports/" + name, LiveService.READER);
    }

    @Test
    void export_isSentOnceWhileItIsTheSame() {
        HttpResponse<String> first = service.send(request("nginx").build());
        assertEquals(200, first.statusCode());
        assertEquals(CONTENT, first.body());
        assertEquals("Accept-Encoding", first.headers().firstValue("Vary").orElseThrow());

        String tag = first.headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> second =
                service.send(request("nginx").header("If-None-Match", tag).build());
        assertEquals(304, second.statusCode());
        assertEquals("", second.body());
    }

    @Test
    void gzip_isSentToThoseWhoTakeIt() {
        HttpResponse<String> packed = service.send(
                request("nginx").header("Accept-Encoding", "br, gzip").build());
        assertEquals("gzip", packed.headers().firstValue("Content-Encoding").orElseThrow());
        HttpResponse<String> plain = service.send(
                request("nginx").header("Accept-Encoding", "gzip;q=0").build());
        assertEquals(CONTENT, plain.body());
    }

    @Test
    void exportWithNothingToPassOn_isForbiddenWithTheReason() {
        HttpResponse<String> answer = service.send(request("own").build());
        assertEquals(403, answer.statusCode());
        assertTrue(answer.body().contains("own: left out: redistribute is false"), answer.body());
    }

    @Test
    void exportThatIsNotConfigured_isNotFound() {
        assertEquals(404, service.send(request("other").build()).statusCode());
        assertEquals(
                401,
                service.send(HttpRequest.newBuilder(service.uri("/v1/exports/nginx"))
                                .build())
                        .statusCode());
    }

    /// Each is released when it has been sent, whatever became of its client.
    @Test
    void streams_areFreeAgainAfterEachAnswer() {
        for (int i = 0; i < 3 * FileStreams.MAX_STREAMS; i++) {
            assertEquals(200, service.send(request("nginx").build()).statusCode());
            assertEquals(
                    200,
                    service.send(request("nginx")
                                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                                    .build())
                            .statusCode());
        }
    }
}
