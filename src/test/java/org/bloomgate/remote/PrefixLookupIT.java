package org.bloomgate.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.ExactAnswer;
import org.bloomgate.lookup.UnknownReason;
import org.bloomgate.remote.RemoteCounts.Total;
import org.bloomgate.wire.HashedKey;
import org.bloomgate.wire.PrefixPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is made of the pages of a service that is well, broken or hostile.
@Timeout(60)
class PrefixLookupIT {
    private static final String OWN = "20260304T050607Z-1a2b";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Key BAD = new Key(KeyKind.DOMAIN, "bad.example");
    private static final Key GOOD = new Key(KeyKind.DOMAIN, "good.example");
    private static final String HASH = HashedKey.hex(HashedKey.of(BAD));
    private static final String STATEMENT = "{\"feed\":\"f\",\"category\":\"phishing\",\"match\":\"suffix\","
            + "\"uses\":[\"link\"],\"firstSeen\":\"2026-01-02T03:04:05Z\","
            + "\"lastSeen\":\"2026-02-03T04:05:06Z\",\"count\":7}";

    private final RemoteCounts counts =
            new Guard("test", BreakerOptions.defaults(), 8, LONG, Clock.systemUTC()).counts();
    private ScriptedService service;
    private LookupServices services;
    private PrefixLookup lookup;

    @BeforeEach
    void start() throws IOException {
        service = new ScriptedService();
        services = new LookupServices(
                new HttpExactOptions(List.of(service.url()), Optional.empty(), HttpExactOptions.Mode.PREFIX));
        lookup = new PrefixLookup(services, "nightly", OWN, Map.of(KeyKind.DOMAIN, 100L), counts);
    }

    @AfterEach
    void stop() throws IOException {
        services.close();
        service.close();
    }

    private static String page(String generation, String candidates) {
        return "{\"generation\":\"" + generation + "\",\"statements\":[" + STATEMENT + "],\"candidates\":{" + candidates
                + "},\"padding\":\"..\"}";
    }

    private ExactAnswer ask(Key key) {
        return lookup.lookup(List.of(key), LONG).getFirst();
    }

    @Test
    void theServiceIsToldTheFirstDigitsOfTheHashAndNothingElse() {
        service.json(page(OWN, "\"" + HASH + "\":[0]"));
        assertTrue(ask(BAD) instanceof ExactAnswer.Listed);
        assertEquals(
                List.of("GET /v1/prefix/nightly/domain/" + HASH.substring(0, 2) + " HTTP/1.1"), service.requestLines);
    }

    @Test
    void keysOfOnePageAskForItOnce() {
        service.json(page(OWN, "\"" + HASH + "\":[0]"));
        List<ExactAnswer> answers = lookup.lookup(List.of(BAD, BAD, GOOD), LONG);
        assertTrue(answers.getFirst() instanceof ExactAnswer.Listed listed
                && listed.listings().getFirst().count() == 7
                && listed.listings().getFirst().key().equals(BAD));
        assertEquals(answers.getFirst(), answers.get(1));
        assertEquals(new ExactAnswer.NotListed(), answers.get(2));
        assertEquals(2, service.requestLines.size());
        assertEquals(2, counts.of(Total.PAGES));
        assertEquals(2, counts.of(Total.CANDIDATES));
    }

    @Test
    void notListedOfAnOlderGenerationIsNotBelievedButListedIs() {
        service.json(page("20260303T235959Z-ffff", "\"" + HASH + "\":[0]"));
        assertTrue(ask(BAD) instanceof ExactAnswer.Listed);
        assertEquals(UnknownReason.BEHIND.answer(), ask(GOOD));
        service.json(page("20260305T235959Z-ffff", ""));
        assertEquals(new ExactAnswer.NotListed(), ask(GOOD));
    }

    @Test
    void aServiceWithoutAPageSaysWhy() {
        service.json("{\"statements\":[],\"candidates\":{},\"reason\":\"no-layer\",\"padding\":\"\"}");
        assertEquals(UnknownReason.NO_LAYER.answer(), ask(BAD));
        service.json("{\"statements\":[],\"candidates\":{},\"reason\":\"no-data\",\"padding\":\"\"}");
        assertEquals(UnknownReason.UNKNOWN_THERE.answer(), ask(BAD));
        service.json("{\"statements\":[],\"candidates\":{},\"reason\":\"of a later version\",\"padding\":\"\"}");
        assertEquals(UnknownReason.UNKNOWN_THERE.answer(), ask(BAD));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"statements\":[],\"candidates\":{},\"padding\":\"\"}",
                "{\"generation\":\"later\",\"statements\":[],\"candidates\":{},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[],\"candidates\":{\"H\":[0]},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[S],\"candidates\":{\"H\":[1]},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[S],\"candidates\":{\"H\":[-1]},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[S],\"candidates\":{\"H\":[]},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[S],\"candidates\":{\"H\":null},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[S],\"candidates\":{\"H\":[null]},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[S],\"candidates\":{\"H\":[0],\"H\":[0]},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[null],\"candidates\":{},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[{}],\"candidates\":{},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"candidates\":{},\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[],\"padding\":\"\"}",
                "{\"generation\":\"G\",\"statements\":[],\"candidates\":{},\"padding\":\"\"} x",
            })
    void whatMakesNoSenseIsABadAnswer(String body) {
        service.json(body.replace("\"G\"", "\"" + OWN + "\"")
                .replace("\"H\"", "\"" + HASH + "\"")
                .replace("[S]", "[" + STATEMENT + "]"));
        assertEquals(UnknownReason.BAD_ANSWER.answer(), ask(BAD));
    }

    @Test
    void aStatementThatMakesNoSenseIsABadAnswer() {
        service.json(page(OWN, "\"" + HASH + "\":[0]").replace("2026-01-02T03:04:05Z", "yesterday"));
        assertEquals(UnknownReason.BAD_ANSWER.answer(), ask(BAD));
    }

    @Test
    void aPageOfAsManyOctetsAsAllowedIsReadAndOneMoreIsABadAnswer() {
        String page = page(OWN, "");
        service.json(page + " ".repeat(PrefixPage.MAX_BYTES - page.length()));
        assertEquals(new ExactAnswer.NotListed(), ask(GOOD));
        service.json(page + " ".repeat(PrefixPage.MAX_BYTES - page.length() + 1));
        assertEquals(UnknownReason.BAD_ANSWER.answer(), ask(GOOD));
    }

    @Test
    void aServiceOfBeforeAndASilentOneAreUnknown() {
        service.answer = ScriptedService.http("404 Not Found", 2, "{}");
        assertEquals(UnknownReason.BAD_STATUS.answer(), ask(GOOD));
        service.answer = ScriptedService.HANG;
        assertEquals(
                UnknownReason.TIMEOUT.answer(),
                lookup.lookup(List.of(GOOD), Duration.ofMillis(100)).getFirst());
    }

    @Test
    void gettingReadyAsksForTheFirstPageOfEveryKind() {
        service.json(page(OWN, ""));
        lookup.ready();
        assertEquals(List.of("GET /v1/prefix/nightly/domain/00 HTTP/1.1"), service.requestLines);
    }
}
