package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.bloomgate.RecordCopy;
import org.bloomgate.lists.report.FeedRow;
import org.bloomgate.lists.report.FeedsReport;
import org.bloomgate.server.http.AnswerJson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FeedsReportResourceIT {

    private final LiveService service = new LiveService(SmallLayer.none(), LiveService.WITH_TOKENS);

    @AfterEach
    void stop() {
        service.close();
    }

    private HttpResponse<String> ask(String query) {
        return askAt("/v1/feeds/report" + query);
    }

    private HttpResponse<String> askAt(String target) {
        return service.send(LiveService.READER, "GET", target, "");
    }

    @Test
    void rows_areThoseOfTheCommand() throws IOException {
        HttpResponse<String> answer = ask("");

        assertEquals(200, answer.statusCode());
        assertEquals(
                AnswerJson.line(LiveService.FEED),
                new JsonMapper().readTree(answer.body()).get("feeds").get(0).toString());
    }

    @Test
    void since_isAnAgeOrAnInstant() {
        AtomicReference<Instant> queried = new AtomicReference<>(Instant.EPOCH);
        service.reports = since -> {
            queried.set(since);
            return new FeedsReport(since, 0, 0, 0, 0, List.of());
        };

        assertEquals(200, ask("").statusCode());
        assertEquals(LiveService.CLOCK.instant().minus(Duration.ofDays(30)), queried.get());
        assertEquals(200, ask("?since=12h").statusCode());
        assertEquals(LiveService.CLOCK.instant().minus(Duration.ofHours(12)), queried.get());
        assertEquals(200, ask("?since=2026-01-02T03:04:05Z").statusCode());
        assertEquals(Instant.parse("2026-01-02T03:04:05Z"), queried.get());
        assertEquals(400, ask("?since=soon").statusCode());
        assertEquals(400, ask("?until=7d").statusCode());
    }

    @Test
    void report_isMadeOnceForAllPages() throws IOException {
        AtomicInteger made = new AtomicInteger();
        service.reports = since -> {
            made.incrementAndGet();
            return new FeedsReport(since, 0, 0, 0, 0, List.of(row("b", 0), row("c", 2), row("a", 1)));
        };
        JsonNode first = new JsonMapper().readTree(ask("?limit=2").body());
        String cursor = first.get("nextCursor").asText();
        JsonNode second =
                new JsonMapper().readTree(ask("?limit=2&cursor=" + cursor).body());
        assertEquals(List.of("c", "a"), first.get("feeds").findValuesAsText("feed"));
        assertEquals(List.of("b"), second.get("feeds").findValuesAsText("feed"));
        assertFalse(second.has("nextCursor"));
        assertEquals(1, made.get());
        ask("?since=1d");
        assertEquals(2, made.get());
        assertEquals(400, ask("?cursor=AA").statusCode());
    }

    private static FeedRow row(String feed, long rejected) {
        return RecordCopy.with(FeedRow.unused(feed, "spam"), "messages", Map.of("reject", rejected));
    }

    @Test
    void reportWhileAnotherIsMade_isDeferred() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        service.reports = since -> {
            begun.countDown();
            await(end);
            return new FeedsReport(since, 0, 0, 0, 0, List.of());
        };
        CompletableFuture<HttpResponse<String>> first = CompletableFuture.supplyAsync(() -> ask(""));
        await(begun);

        HttpResponse<String> second = ask("");
        HttpResponse<String> other = askAt("/v1/shadow");
        end.countDown();

        assertEquals(503, second.statusCode());
        assertEquals(503, other.statusCode(), "a report of another kind takes memory too");
        assertTrue(second.body().contains("another report is being made"), second.body());
        assertEquals(200, first.join().statusCode());
        assertEquals(200, ask("").statusCode());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            throw new AssertionError(ended);
        }
    }

    @Test
    void unreadableJournal_isNamedInTheLogOnly() {
        service.reports = _ -> {
            throw new IOException("/srv/decisions: damaged");
        };

        HttpResponse<String> answer = ask("");

        assertEquals(503, answer.statusCode());
        assertFalse(answer.body().contains("/srv"), answer.body());
        assertEquals(503, ask("").statusCode());
    }
}
