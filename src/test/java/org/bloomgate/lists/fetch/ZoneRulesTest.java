package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZoneRulesTest {

    @Test
    void feedsConfirmThemselvesUnlessAskedTo() {
        assertEquals(Confirmation.NONE, Feed.defaults().confirming().confirm());
        assertEquals(List.of(), of(KeyKind.DOMAIN, Confirmation.NONE, "", Map.of()));
    }

    @Test
    void aZoneWithItsAnswersIsTaken() {
        assertEquals(List.of(), queried("dbl.example", Map.of()));
        assertEquals(
                List.of(), queried("key_1.dq.dbl.example", Map.of("127.0.0.2", "phishing", "127.0.1.255", "spam")));
    }

    @Test
    void zoneAndAnswersGoWithAConfirmation() {
        List<String> problems = of(KeyKind.DOMAIN, Confirmation.NONE, "dbl.example", Map.of("127.0.0.2", "phishing"));
        assertEquals(2, problems.size(), problems::toString);
        assertTrue(problems.get(0).startsWith("zone: "), problems::toString);
        assertTrue(problems.get(1).startsWith("answers: "), problems::toString);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"DOMAIN", "DOMAIN_SHA1", "ADDRESS_SHA1"},
            mode = EnumSource.Mode.EXCLUDE)
    void onlyDomainsHaveAConvention(KeyKind kind) {
        List<String> problems = of(kind, Confirmation.DNS, "dbl.example", Map.of());
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(
                problems.getFirst()
                        .startsWith("confirm: dns asks about domains (RFC 5782); for kind " + kind.label() + " "),
                problems::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "dbl.example.",
                ".dbl.example",
                "dbl..example",
                "DBL.example",
                "dbl example",
                "192.0.2.1",
                "-dbl.example",
                "d\u00fcbel.example"
            })
    void whatIsNoNameIsNoZone(String zone) {
        assertProblem("zone: ", queried(zone, Map.of()));
    }

    @Test
    void aZoneLeavesRoomForTheQuestion() {
        String label = "a".repeat(63) + ".";
        assertEquals(List.of(), queried(label.repeat(3) + "example", Map.of()));
        assertProblem("zone: ", queried(label.repeat(3) + "examples.example", Map.of()));
        assertProblem("zone: ", queried("a".repeat(64) + ".example", Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.0",
                "127.0.0.1",
                "127.255.255.254",
                "192.0.2.1",
                "127.0.0",
                "127.0.0.256",
                "127.0.0.02",
                "127.0.0.2 ",
                "::1",
                "TEST"
            })
    void whatIsNoListingsAddressIsNoAnswer(String address) {
        assertProblem(
                "answers: " + address + " is not an address", queried("dbl.example", Map.of(address, "phishing")));
    }

    @Test
    void anAnswerHasACategory() {
        assertProblem("answers: 127.0.0.2 needs a category", queried("dbl.example", Map.of("127.0.0.2", " ")));
        assertProblem(
                "answers: 127.0.0.2 needs a category", queried("dbl.example", Map.of("127.0.0.2", "c".repeat(65))));
    }

    @Test
    void aListThatIsAZoneHasNoFormatAndNothingToConfirm() {
        assertEquals(List.of(), list(FeedKind.DOMAIN, "dns:dbl.example", Feed.defaults()));
        assertEquals(List.of(), list(FeedKind.NETWORK, "dns:dbl.example", Feed.defaults()));
        assertProblem("kind: ", list(FeedKind.URL, "dns:dbl.example", Feed.defaults()));
        assertProblem("source: dns:", list(FeedKind.DOMAIN, "dns:DBL*", Feed.defaults()));
        assertProblem(
                "confirm: ",
                list(
                        FeedKind.DOMAIN,
                        "dns:dbl.example",
                        RecordCopy.with(Feed.defaults(), "confirm", Confirmation.DNS)));
        assertProblem(
                "budget: ",
                list(
                        FeedKind.DOMAIN,
                        "dns:dbl.example",
                        RecordCopy.with(Feed.defaults(), "budget", Duration.ofMillis(1001))));
    }

    private static List<String> list(FeedKind kind, String source, Feed feed) {
        Feed of = RecordCopy.with(RecordCopy.with(feed, "name", "test"), "source", source);
        return RecordCopy.with(of, "kind", kind).problems();
    }

    private static void assertProblem(String beginning, List<String> problems) {
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(problems.getFirst().startsWith(beginning), problems::toString);
    }

    private static List<String> queried(String zone, Map<String, String> answers) {
        return of(KeyKind.DOMAIN, Confirmation.DNS, zone, answers);
    }

    private static List<String> of(KeyKind kind, Confirmation confirm, String zone, Map<String, String> answers) {
        Feed feed = Feed.of("test", kind, FeedFormat.LINES, "list.txt");
        feed = RecordCopy.with(feed, "confirm", confirm);
        feed = RecordCopy.with(feed, "zone", zone);
        return RecordCopy.with(feed, "answers", answers).problems();
    }
}
