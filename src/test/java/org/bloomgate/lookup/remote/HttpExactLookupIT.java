package org.bloomgate.lookup.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.UnknownReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is made of the answers of a service that is well, broken, late, gone or hostile.
@Timeout(60)
class HttpExactLookupIT {
    private static final String OWN = "20260304T050607Z-1a2b";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Key BAD = new Key(KeyKind.DOMAIN, "bad.example");
    private static final Key GOOD = new Key(KeyKind.DOMAIN, "good.example");
    private static final String LISTING = "{\"feed\":\"f\",\"category\":\"phishing\",\"match\":\"suffix\","
            + "\"uses\":[\"sender\",\"link\"],\"firstSeen\":\"2026-01-02T03:04:05Z\","
            + "\"lastSeen\":\"2026-02-03T04:05:06Z\",\"count\":7}";
    private static final String LISTED = "{\"answer\":\"listed\",\"listings\":[" + LISTING + "]}";
    private static final String NOT_LISTED = "{\"answer\":\"not listed\"}";

    private ScriptedService service;
    private FailoverClient services;
    private HttpExactLookup lookup;

    @BeforeEach
    void start() throws IOException {
        service = new ScriptedService();
        services = services(service.url());
        lookup = new HttpExactLookup(services, "nightly", OWN);
    }

    private static FailoverClient services(String... urls) throws IOException {
        return new FailoverClient("exact.http", new HttpExactOptions(List.of(urls), Optional.empty(), ""));
    }

    private void askInstead(String... urls) throws IOException {
        services.close();
        services = services(urls);
        lookup = new HttpExactLookup(services, "nightly", OWN);
    }

    @AfterEach
    void stop() throws IOException {
        services.close();
        service.close();
    }

    private static String reply(String generation, String... answers) {
        return "{\"layers\":{\"nightly\":\"" + generation + "\"},\"answers\":[" + String.join(",", answers) + "]}";
    }

    @Test
    void answersAreThoseOfTheKeysInOrder() {
        service.json(reply(OWN, LISTED, NOT_LISTED));
        ExactAnswer listed = new ExactAnswer.Listed(List.of(new Listing(
                "f",
                "phishing",
                BAD,
                Match.SUFFIX,
                Set.of(Use.SENDER, Use.LINK),
                Instant.parse("2026-01-02T03:04:05Z"),
                Instant.parse("2026-02-03T04:05:06Z"),
                7)));
        assertEquals(List.of(listed, new ExactAnswer.NotListed()), lookup.lookup(List.of(BAD, GOOD), LONG));
        assertEquals(
                List.of("{\"items\":[{\"layer\":\"nightly\",\"kind\":\"domain\",\"key\":\"bad.example\"},"
                        + "{\"layer\":\"nightly\",\"kind\":\"domain\",\"key\":\"good.example\"}]}"),
                service.questions);
    }

    @Test
    void token_isSentIfThereIsOne() throws IOException {
        service.json(reply(OWN, NOT_LISTED));
        lookup.lookup(List.of(GOOD), LONG);
        HttpExactOptions options =
                new HttpExactOptions(List.of(service.url()), Optional.empty(), "the-token-of-gateways");
        try (FailoverClient known = new FailoverClient("exact.http", options)) {
            new HttpExactLookup(known, "nightly", OWN).lookup(List.of(GOOD), LONG);
        }
        assertEquals(List.of("Bearer the-token-of-gateways"), service.authorizations);
    }

    @Test
    void oneConnectionServesManyQuestions() {
        service.json(reply(OWN, NOT_LISTED));
        IntStream.range(0, 20).forEach(i -> lookup.lookup(List.of(GOOD), LONG));
        assertEquals(20, service.questions.size());
        assertEquals(1, service.connections.get());
    }

    @Test
    void manyKeysGoOutInBoundedQuestions() {
        String[] hundred = new String[HttpExactLookup.MAX_ITEMS];
        Arrays.fill(hundred, NOT_LISTED);
        service.json(reply(OWN, hundred));
        List<Key> keys = IntStream.range(0, 3 * HttpExactLookup.MAX_ITEMS)
                .mapToObj(i -> new Key(KeyKind.DOMAIN, "d" + i + ".example"))
                .toList();
        assertEquals(Collections.nCopies(keys.size(), new ExactAnswer.NotListed()), lookup.lookup(keys, LONG));
        assertEquals(3, service.questions.size());
    }

    @Test
    void notListedOfAnOlderGenerationIsNotBelievedButListedIs() {
        service.json(reply("20260303T235959Z-ffff", LISTED, NOT_LISTED));
        List<ExactAnswer> answers = lookup.lookup(List.of(BAD, GOOD), LONG);
        assertTrue(answers.getFirst() instanceof ExactAnswer.Listed, answers::toString);
        assertEquals(UnknownReason.BEHIND.answer(), answers.getLast());
        service.json(reply("20260304T050608Z-0000", NOT_LISTED));
        assertEquals(new ExactAnswer.NotListed(), ask(LONG));
    }

    @Test
    void whatTheServiceCannotSayIsUnknown() {
        service.json(reply(OWN, "{\"answer\":\"unknown\",\"reason\":\"store\"}"));
        assertEquals(UnknownReason.UNKNOWN_THERE.answer(), ask(LONG));
        service.json("{\"layers\":{},\"answers\":[{\"answer\":\"unknown\",\"reason\":\"no-layer\"}]}");
        assertEquals(UnknownReason.NO_LAYER.answer(), ask(LONG));
    }

    @Test
    void aFieldOfALaterVersionIsPassedOver() {
        service.json(reply(OWN, "{\"answer\":\"not listed\",\"since\":5}"));
        assertEquals(new ExactAnswer.NotListed(), ask(LONG));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"layers\":",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[A]} x",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[]}",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[A,A]}",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[null]}",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[{}]}",
                "{\"layers\":{\"nightly\":\"G\"}}",
                "{\"answers\":[A]}",
                "{\"layers\":{},\"answers\":[A]}",
                "{\"layers\":{\"nightly\":\"later\"},\"answers\":[A]}",
                "{\"layers\":{\"hourly\":\"G\"},\"answers\":[A]}",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[{\"answer\":\"maybe\"}]}",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[{\"answer\":\"listed\"}]}",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[{\"answer\":\"listed\",\"listings\":[]}]}",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[{\"answer\":\"not listed\",\"listings\":[L]}]}",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[{\"answer\":\"listed\",\"listings\":[{}]}]}",
                "{\"layers\":{\"nightly\":\"G\"},\"answers\":[A],\"answers\":[A]}",
            })
    void whatMakesNoSenseIsABadAnswer(String body) {
        service.json(body.replace("\"G\"", "\"" + OWN + "\"")
                .replace("A]", NOT_LISTED + "]")
                .replace("[A,", "[" + NOT_LISTED + ",")
                .replace("L]", LISTING + "]"));
        assertEquals(UnknownReason.BAD_ANSWER.answer(), ask(LONG));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"suffix\"=\"prefix\"",
                "\"link\"=\"reply\"",
                "2026-01-02T03:04:05Z=yesterday",
                "\"f\"=\"\"",
                "\"f\"=\"a\\u000d\\u000ab\"",
                "\"f\"=null",
                "7=-7",
                "7=\"many\""
            })
    void aListingThatMakesNoSenseIsABadAnswer(String change) {
        String[] parts = change.split("=", 2);
        service.json(reply(OWN, LISTED.replace(parts[0], parts[1])));
        assertEquals(UnknownReason.BAD_ANSWER.answer(), ask(LONG));
    }

    @Test
    void aStatusOtherThan200IsNoAnswer() {
        service.answer = ScriptedService.http("500 Internal Server Error", 2, "{}");
        assertEquals(UnknownReason.BAD_STATUS.answer(), ask(LONG));
        service.answer = ScriptedService.http("404 Not Found", 0, "");
        assertEquals(UnknownReason.BAD_STATUS.answer(), ask(LONG));
        assertEquals(2, service.questions.size());
    }

    @Test
    void aTruncatedOrEndlessOrGarbledAnswerIsABadOne() {
        String whole = reply(OWN, NOT_LISTED);
        service.answer = ScriptedService.http("200 OK", whole.length() + 5, whole) + ScriptedService.CUT;
        assertEquals(UnknownReason.BAD_ANSWER.answer(), ask(LONG));
        service.json(whole + " ".repeat(1 << 20));
        assertEquals(UnknownReason.BAD_ANSWER.answer(), ask(LONG));
        service.answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + whole + ScriptedService.CUT;
        assertEquals(UnknownReason.BAD_ANSWER.answer(), ask(LONG));
        service.json(whole);
        assertEquals(new ExactAnswer.NotListed(), ask(LONG));
    }

    @Test
    void whatIsNoHttpIsUnreachable() {
        service.answer = "220 mail.example ESMTP\r\n" + ScriptedService.CUT;
        assertEquals(UnknownReason.UNREACHABLE.answer(), ask(LONG));
    }

    @Test
    void silenceBeforeOrWithinTheAnswerEndsWithTheTime() {
        service.answer = ScriptedService.HANG;
        assertInTime(UnknownReason.TIMEOUT);
        service.answer = ScriptedService.http("200 OK", 500, "{\"layers\":") + ScriptedService.HANG;
        assertInTime(UnknownReason.TIMEOUT);
        service.json(reply(OWN, NOT_LISTED));
        assertEquals(new ExactAnswer.NotListed(), ask(LONG));
    }

    private void assertInTime(UnknownReason reason) {
        long begun = System.nanoTime();
        assertEquals(reason.answer(), ask(SHORT));
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(took.compareTo(Duration.ofSeconds(10)) < 0, took::toString);
    }

    @Test
    void whereNobodyListensIsRefused() throws IOException {
        askInstead("http://127.0.0.1:" + unusedPort());
        assertEquals(UnknownReason.REFUSED.answer(), ask(LONG));
    }

    @Test
    void aConnectionThatDiedMeanwhileIsReplaced() throws IOException {
        service.json(reply(OWN, NOT_LISTED));
        for (int i = 0; i < 20; i++) {
            assertEquals(new ExactAnswer.NotListed(), ask(LONG));
            service.drop();
        }
    }

    @Test
    void theNextServiceIsAskedAndPreferredAfterwards() throws IOException {
        askInstead("http://127.0.0.1:" + unusedPort(), service.url());
        service.json(reply(OWN, NOT_LISTED));
        assertEquals(new ExactAnswer.NotListed(), ask(LONG));
        assertEquals(new ExactAnswer.NotListed(), ask(LONG));
    }

    @Test
    void aServiceThatHangsLeavesTimeForTheNext() throws IOException {
        try (ScriptedService silent = new ScriptedService()) {
            silent.answer = ScriptedService.HANG;
            askInstead(silent.url(), service.url());
            service.json(reply(OWN, NOT_LISTED));
            assertEquals(new ExactAnswer.NotListed(), ask(Duration.ofSeconds(4)));
            assertEquals(new ExactAnswer.NotListed(), ask(Duration.ofSeconds(4)));
            assertEquals(1, silent.questions.size());
        }
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private ExactAnswer ask(Duration timeout) {
        return lookup.lookup(List.of(GOOD), timeout).getFirst();
    }
}
