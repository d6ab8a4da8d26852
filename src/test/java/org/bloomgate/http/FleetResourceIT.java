package org.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bloomgate.RecordCopy;
import org.bloomgate.mirror.MirrorOptions;
import org.bloomgate.mirror.Reporter;
import org.bloomgate.wire.MirrorReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A mirror reports, and operators of its publisher see it.
class FleetResourceIT {
    private static final String TOKEN = "a-token-of-some-length";

    private Optional<LiveService> started = Optional.empty();

    @BeforeEach
    void start() {
        started = Optional.of(
                new LiveService(SmallLayer.none(), RecordCopy.with(LiveService.OPTIONS, "adminToken", TOKEN)));
    }

    @AfterEach
    void stop() {
        started.ifPresent(LiveService::close);
    }

    private LiveService service() {
        return started.orElseThrow();
    }

    private Reporter reporter(String token) throws Exception {
        MirrorOptions options = new MirrorOptions(
                service().uri("").toString(),
                Duration.ofHours(1),
                Optional.empty(),
                Duration.ofSeconds(20),
                1 << 24,
                MirrorOptions.OnExpired.ALARM,
                false,
                true,
                token);
        MirrorReport report = new MirrorReport(
                List.of(new MirrorReport.Layer("nightly", "20261121T020305Z-09af")),
                Optional.of(7L),
                Optional.of(4L),
                true,
                List.of(new MirrorReport.Fault("hourly", "SHA-256 differs", "2026-11-21T02:03:05Z")),
                List.of(new MirrorReport.Entry("domain", "bad.example", "local")),
                0);
        return new Reporter(options, () -> report, LiveService.CLOCK);
    }

    private String shown() {
        return service()
                .send(HttpRequest.newBuilder(service().uri("/v1/fleet"))
                        .header("Authorization", "Bearer " + TOKEN)
                        .build())
                .body();
    }

    @Test
    void whatAMirrorReportsIsShownToWhoHasAToken() throws Exception {
        assertTrue(
                shown().contains("{\"name\":\"one\",\"behind\":true,\"layers\":[],\"faults\":[],\"entries\":0}"),
                this::shown);
        try (Reporter reporter = reporter(TOKEN)) {
            assertTrue(reporter.round(), () -> reporter.faults().toString());
        }
        String shown = shown();
        assertTrue(shown.contains("\"behind\":true,\"ready\":true,\"counter\":7,\"listings\":4"), shown);
        assertTrue(shown.contains("SHA-256 differs"), shown);
        assertTrue(
                shown.contains(
                        "{\"kind\":\"domain\",\"value\":\"bad.example\",\"category\":\"local\",\"mirrors\":[\"one\"]}"),
                shown);
        assertEquals(401, service().get("/v1/fleet").statusCode());
    }

    @Test
    void aReportWithAnotherTokenOrNoneIsNotTakenAndTheMirrorSaysSo() throws Exception {
        try (Reporter stranger = reporter("a-token-of-nobody");
                Reporter without = reporter("")) {
            assertFalse(stranger.round());
            assertTrue(
                    stranger.faults().toString().contains("status 401"),
                    () -> stranger.faults().toString());
            assertFalse(without.round());
            assertTrue(
                    without.faults().toString().contains("mirror.token"),
                    () -> without.faults().toString());
        }
        assertTrue(shown().contains("{\"name\":\"one\",\"behind\":true,\"layers\":[],"), this::shown);
    }
}
