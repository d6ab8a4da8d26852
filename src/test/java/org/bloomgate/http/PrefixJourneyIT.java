package org.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Use;
import org.bloomgate.lookup.ExactAnswer;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.remote.BreakerOptions;
import org.bloomgate.remote.Guard;
import org.bloomgate.remote.HttpExactLookup;
import org.bloomgate.remote.HttpExactOptions;
import org.bloomgate.remote.LookupServices;
import org.bloomgate.remote.PrefixLookup;
import org.bloomgate.web.HttpOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Both ways to ask a lookup service, over sockets, and `GET /v1/prefix` itself.
@Timeout(60)
class PrefixJourneyIT {
    private static final String GENERATION = "20260305T010203Z-1a2b";
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int LISTED = 10_000;

    private static LayerSource many() {
        SmallLayer many = new SmallLayer();
        IntStream.range(0, LISTED).forEach(i -> {
            many.lists(KeyKind.DOMAIN, "d" + i + ".example", i % 3 == 0 ? Use.LINK : Use.SENDER, i % 5);
            many.lists(KeyKind.URL, "d" + i + ".example/p?q=" + i);
        });
        return new SmallLayer().inForceWith(many, GENERATION);
    }

    private static LookupServices services(LiveService service) throws IOException {
        return new LookupServices(new HttpExactOptions(
                List.of("http://127.0.0.1:" + service.port()), Optional.empty(), HttpExactOptions.Mode.PREFIX));
    }

    private static PrefixLookup pages(LookupServices services, String layer) {
        Guard guard = new Guard("test", BreakerOptions.defaults(), 8, LONG, Clock.systemUTC());
        return new PrefixLookup(
                services, layer, GENERATION, Map.of(KeyKind.DOMAIN, (long) LISTED, KeyKind.URL, 0L), guard.counts());
    }

    /// The first questions about a kind are told that there is no data so far.
    private static void untilReady(PrefixLookup pages, Key key) {
        while (pages.lookup(List.of(key), LONG).getFirst() instanceof ExactAnswer.Unknown) {
            Thread.onSpinWait();
        }
    }

    @Test
    void pagesSayOfEveryKeyWhatTheLookupSays() throws IOException {
        List<Key> keys = IntStream.range(0, 2 * LISTED)
                .boxed()
                .flatMap(i -> Stream.of(
                        new Key(KeyKind.DOMAIN, "d" + i + ".example"),
                        new Key(KeyKind.URL, "d" + i + ".example/p?q=" + i)))
                .toList();
        HttpOptions options = RecordCopy.with(LiveService.OPTIONS, "maxItems", 100);
        try (LiveService service = new LiveService(many(), options);
                LookupServices services = services(service)) {
            PrefixLookup pages = pages(services, "hourly");
            untilReady(pages, keys.getFirst());
            untilReady(pages, keys.get(1));
            List<ExactAnswer> answers = pages.lookup(keys, LONG);
            List<ExactAnswer> oneByOne = new HttpExactLookup(services, "hourly", GENERATION).lookup(keys, LONG);
            for (int i = 0; i < keys.size(); i++) {
                assertEquals(oneByOne.get(i), answers.get(i), keys.get(i).text());
            }
            assertEquals(
                    2L * LISTED,
                    answers.stream()
                            .filter(ExactAnswer.Listed.class::isInstance)
                            .count());
        }
    }

    @Test
    void aLayerThatIsNotThereIsUnknown() throws IOException {
        try (LiveService service = LiveService.over(many());
                LookupServices services = services(service)) {
            assertEquals(
                    List.of(new ExactAnswer.Unknown("no-layer")),
                    pages(services, "minutes").lookup(List.of(new Key(KeyKind.DOMAIN, "d1.example")), LONG));
        }
    }

    @Test
    void aStoreThatIsElsewhereOrCannotBeReadGivesNoPage() {
        for (SmallLayer layer : List.of(
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").movesElsewhere(),
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").fallSilent())) {
            try (LiveService service = LiveService.over(layer.inForce())) {
                for (int asked = 0; asked < 3; asked++) {
                    HttpResponse<String> none = service.get("/v1/prefix/nightly/domain/1a2b");
                    assertTrue(none.body().contains("\"reason\":\"no-data\""), none.body());
                    assertEquals(
                            "no-store",
                            none.headers().firstValue("Cache-Control").orElse(""));
                }
            }
        }
    }

    @Test
    void aPageIsOfWholeBlocksCanBeKeptAndIsNotSentAgain() {
        try (LiveService service = LiveService.over(many())) {
            HttpResponse<String> page = service.get("/v1/prefix/hourly/domain/1a");
            while (page.body().contains("\"reason\"")) {
                page = service.get("/v1/prefix/hourly/domain/1a");
            }
            assertEquals(0, page.body().length() % 1024);
            assertTrue(page.body().startsWith("{\"generation\":\"" + GENERATION + "\""), page.body());
            assertFalse(page.body().contains(".example"), page.body());
            assertEquals(
                    "public, max-age=60",
                    page.headers().firstValue("Cache-Control").orElse(""));
            String tag = page.headers().firstValue("ETag").orElseThrow();
            assertEquals(
                    304,
                    service.send(HttpRequest.newBuilder(service.uri("/v1/prefix/hourly/domain/1a"))
                                    .header("If-None-Match", tag)
                                    .build())
                            .statusCode());
        }
    }

    @Test
    void whatIsNoPrefixAndNoKindIsRefused() {
        try (LiveService service = LiveService.over(many())) {
            for (String path : List.of("domain/1", "domain/1A", "domain/12345", "host/1a", "domain/1a?x=1")) {
                assertEquals(400, service.get("/v1/prefix/hourly/" + path).statusCode(), path);
            }
        }
    }
}
