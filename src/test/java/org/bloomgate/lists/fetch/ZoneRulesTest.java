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
        assertEquals(ConfirmationMethod.NONE, Feed.defaults().confirming().confirm());
        assertEquals(List.of(), of(KeyKind.DOMAIN, ConfirmationMethod.NONE, "", Map.of()));
    }

    @Test
    void aZoneWithItsAnswersIsTaken() {
        assertEquals(List.of(), queried("dbl.example", Map.of()));
        assertEquals(
                List.of(), queried("key_1.dq.dbl.example", Map.of("127.0.0.2", "phishing", "127.0.1.255", "spam")));
    }

    @Test
    void zoneSettings_areChecked() {
        Map<String, Object> keyed = Map.of("zone", "{key}.zen.dq.spamhaus.net", "keyEnv", "DQS_KEY");
        assertEquals(List.of(), confirmedBy(keyed));
        assertEquals(List.of(), confirmedBy(Map.of("zone", "{key}.dbl.example", "keyFile", "key.txt")));
        assertProblem("source: write {key}", confirmedBy(Map.of("zone", "abc.zen.dq.spamhaus.net")));
        assertProblem("keyEnv: {key}", confirmedBy(Map.of("zone", "{key}.dbl.example")));
        assertProblem("keyEnv: {key}", confirmedBy(Map.of("keyEnv", "DQS_KEY")));
        assertProblem("keyEnv: names", confirmedBy(Map.of("zone", "{key}.dbl.example", "keyEnv", "a b")));
        assertEquals(List.of(), confirmedBy(Map.of("bits", Map.of("8", "phishing", "128", "abused"))));
        assertProblem("bits: 3", confirmedBy(Map.of("bits", Map.of("3", "phishing"))));
        assertProblem(
                "bits: a zone",
                confirmedBy(Map.of("bits", Map.of("8", "phishing"), "answers", Map.of("127.0.0.2", "spam"))));
        assertEquals(List.of(), confirmedBy(Map.of("errors", List.of("127.0.1.255", "127.0.2.2-24"))));
        assertProblem("errors: ", confirmedBy(Map.of("errors", List.of("192.0.2.1"))));
        assertProblem("testPoint: ", confirmedBy(Map.of("testPoint", "Dbl Test")));
    }

    @Test
    void answers_mayBeRanges() {
        Feed.Confirming ranges = RecordCopy.with(
                Feed.defaults().confirming(), "answers", Map.of("127.0.1.102-104", "abused", "127.0.0.2", "spam"));
        assertEquals(
                Map.of("127.0.1.102", "abused", "127.0.1.103", "abused", "127.0.1.104", "abused", "127.0.0.2", "spam"),
                ranges.categories());
        for (String wrong : List.of("127.0.0.9-2", "127.0.0.2-256", "127.0.0.0-3", "127.0.0.2-3-4")) {
            assertProblem("answers: ", queried("dbl.example", Map.of(wrong, "spam")));
        }
    }

    private static List<String> confirmedBy(Map<String, Object> settings) {
        Feed.Confirming confirming = RecordCopy.with(
                RecordCopy.with(Feed.defaults().confirming(), "confirm", ConfirmationMethod.DNS),
                "zone",
                "dbl.example");
        for (Map.Entry<String, Object> setting : settings.entrySet()) {
            confirming = RecordCopy.with(confirming, setting.getKey(), setting.getValue());
        }
        return RecordCopy.with(Feed.of("dbl", KeyKind.DOMAIN, FeedFormat.LINES, "a"), "confirming", confirming)
                .problems();
    }

    @Test
    void zoneAndAnswersGoWithAConfirmation() {
        List<String> problems =
                of(KeyKind.DOMAIN, ConfirmationMethod.NONE, "dbl.example", Map.of("127.0.0.2", "phishing"));
        assertEquals(2, problems.size(), problems::toString);
        assertTrue(problems.get(0).startsWith("zone: "), problems::toString);
        assertTrue(problems.get(1).startsWith("answers: "), problems::toString);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"DOMAIN", "DOMAIN_SHA1", "ADDRESS_SHA1"},
            mode = EnumSource.Mode.EXCLUDE)
    void onlyDomainsHaveAConvention(KeyKind kind) {
        List<String> problems = of(kind, ConfirmationMethod.DNS, "dbl.example", Map.of());
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
                        RecordCopy.with(Feed.defaults(), "confirm", ConfirmationMethod.DNS)));
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
        return of(KeyKind.DOMAIN, ConfirmationMethod.DNS, zone, answers);
    }

    private static List<String> of(KeyKind kind, ConfirmationMethod confirm, String zone, Map<String, String> answers) {
        Feed feed = Feed.of("test", kind, FeedFormat.LINES, "list.txt");
        feed = RecordCopy.with(feed, "confirm", confirm);
        feed = RecordCopy.with(feed, "zone", zone);
        return RecordCopy.with(feed, "answers", answers).problems();
    }
}
