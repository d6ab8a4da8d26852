package org.bloomgate.probation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.policy.PolicyOptions;
import org.bloomgate.policy.PolicyOptions.Probation.HeldDown;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProbationsTest {
    private static final String FEED = "sample";

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-03-04T05:06:07Z");

    private Probations open(HeldDown action) {
        return new Probations(folder, folder, new PolicyOptions.Probation(3, action), () -> now);
    }

    private static Map<String, Set<Key>> errors(String... hosts) {
        return Map.of(
                FEED,
                Arrays.stream(hosts).map(host -> new Key(KeyKind.DOMAIN, host)).collect(Collectors.toSet()));
    }

    private static final Map<String, Set<Key>> THREE = errors("h0.example", "h1.example", "h2.example");

    /// Mail that held so many of the feed's values: `h0.example`, `h1.example` and so on.
    private void hit(int values, String category) throws IOException {
        String lines = IntStream.range(0, values)
                .mapToObj(
                        i -> ("{\"time\":\"2026-03-04T01:00:00Z\",\"token\":\"T\",\"suspects\":1,\"found\":[{\"kind\":"
                                        + "\"url\",\"value\":\"http://h%d.example/\",\"where\":\"link\",\"verdict\":\"listed\","
                                        + "\"key\":\"h%d.example\",\"feed\":\"%s\",\"category\":\"%s\"}]}\n")
                                .formatted(i, i, FEED, category))
                .collect(Collectors.joining());
        Files.writeString(folder.resolve("2026-03-04.jsonl"), lines);
    }

    private Set<String> after(Map<String, Set<Key>> errors) {
        try (Probations probations = open(HeldDown.TAG)) {
            probations.round(_ -> errors);
            return probations.feeds();
        }
    }

    @Test
    void errorsInEnoughDomainsAndMoreThanATwentiethOfTheHitsHoldAFeedDown() throws IOException {
        hit(59, "spam");
        assertEquals(Set.of(FEED), after(THREE));
        assertEquals(Set.of(FEED), open(HeldDown.TAG).ends().keySet());
        assertEquals(now.plus(Probation.TERM), open(HeldDown.TAG).ends().get(FEED));
    }

    @Test
    void atOneInTwentyAFeedIsFree() throws IOException {
        hit(60, "spam");
        assertEquals(Set.of(), after(THREE));
    }

    @Test
    void errorsInTooFewRegistrableDomainsDoNotCount() throws IOException {
        hit(5, "spam");
        assertEquals(Set.of(), after(errors("h0.example", "a.h1.example", "b.h1.example", "c.h1.example")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"phishing", "malware", "botnet"})
    void threeReleasesDoNotDisarmAListOfHarm(String category) throws IOException {
        hit(5, category);
        assertEquals(Set.of(), after(THREE));
    }

    @Test
    void errorsOfAFeedThatHitNothingWithinTheTimeSayNothingOfIt() throws IOException {
        assertEquals(Set.of(), after(THREE));
        hit(5, "spam");
        now = now.plus(Duration.ofDays(31));
        assertEquals(Set.of(), after(THREE));
    }

    @Test
    void withoutAnActionNothingIsHeldDown() throws IOException {
        hit(5, "spam");
        assertEquals(Set.of(FEED), after(THREE));
        try (Probations off = open(HeldDown.NONE)) {
            off.round(_ -> THREE);
            assertEquals(Set.of(), off.feeds());
            assertEquals(Map.of(), off.ends());
            off.use(new PolicyOptions.Probation(3, HeldDown.TAG));
            assertEquals(Set.of(FEED), off.feeds());
        }
    }

    @Test
    void aProbationOutlivesTheExceptionsAndEndsAfterThirtyDays() throws IOException {
        hit(5, "spam");
        assertEquals(Set.of(FEED), after(THREE));
        now = now.plus(Duration.ofDays(30)).minusSeconds(1);
        assertEquals(Set.of(FEED), after(Map.of()));
        now = now.plusSeconds(1);
        assertEquals(Set.of(), open(HeldDown.TAG).feeds());
        assertEquals(Set.of(), after(Map.of()));
    }

    @Test
    void whatAKillLeftHalfWrittenIsNotRead() throws IOException {
        hit(5, "spam");
        assertEquals(Set.of(FEED), after(THREE));
        Files.writeString(folder.resolve(ProbationFile.NAME + ".tmp"), "[{\"feed\":");
        assertEquals(Set.of(FEED), open(HeldDown.TAG).feeds());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[null]", "{}", "[{\"feed\":\"sample\"}]", "[{\"feed\":null}]", "\u0000\u0000"})
    void aDamagedFileIsNoneAndTheErrorsAreWeighedAgain(String octets) throws IOException {
        hit(5, "spam");
        Files.writeString(folder.resolve(ProbationFile.NAME), octets);
        assertEquals(Set.of(), open(HeldDown.TAG).feeds());
        assertEquals(Set.of(FEED), after(THREE));
    }

    @Test
    void aFileBeyondItsBoundIsDamaged() throws IOException {
        String one = "[{\"feed\":\"sample\",\"since\":\"2026-03-04T05:06:07Z\",\"until\":\"2026-04-03T05:06:07Z\","
                + "\"errors\":3,\"domains\":3,\"hits\":5}]";
        Path file = folder.resolve(ProbationFile.NAME);
        Files.writeString(file, one + " ".repeat(ProbationFile.MAX_BYTES - one.length()));
        assertEquals(Set.of(FEED), open(HeldDown.TAG).feeds());
        Files.writeString(file, one + " ".repeat(ProbationFile.MAX_BYTES - one.length() + 1));
        assertEquals(Set.of(), open(HeldDown.TAG).feeds());
    }

    @Test
    void aClockThatWasFarAheadHoldsNothingDownForLonger() throws IOException {
        hit(5, "spam");
        Instant right = now;
        Files.move(folder.resolve("2026-03-04.jsonl"), folder.resolve("2036-03-04.jsonl"));
        Files.writeString(
                folder.resolve("2036-03-04.jsonl"),
                Files.readString(folder.resolve("2036-03-04.jsonl")).replace("2026-", "2036-"));
        now = Instant.parse("2036-03-04T05:06:07Z");
        assertEquals(Set.of(FEED), after(THREE));
        now = right;
        assertEquals(Set.of(), open(HeldDown.TAG).feeds());
    }
}
