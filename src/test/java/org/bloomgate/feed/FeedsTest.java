package org.bloomgate.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Match;
import org.bloomgate.key.Use;
import org.junit.jupiter.api.Test;

class FeedsTest {

    @Test
    void defaultsAreWhatTheCommentsOfTheFileSay() {
        Feed feed = Feed.defaults();
        assertEquals(KeyKind.DOMAIN, feed.kind());
        assertEquals(FeedFormat.LINES, feed.format());
        assertEquals("listed", feed.category());
        assertEquals(Match.SUFFIX, feed.match());
        assertEquals(Cadence.NIGHTLY, feed.cadence());
        assertEquals(Set.of(Use.SENDER, Use.HEADER, Use.LINK), feed.use());
        assertEquals(2L << 30, feed.maxBytes());
        assertEquals(8L << 30, feed.maxUnpackedBytes());
        assertEquals(Duration.ofMinutes(30), feed.timeout());
        assertEquals(new Feeds(List.of(), List.of()), Feeds.defaults());
    }

    @Test
    void soundFeedsHaveNoProblems() {
        assertEquals(List.of(), problems(Map.of("source", "blacklists/sample/domains.txt")));
        assertEquals(
                List.of(),
                problems(Map.of("source", "https://feeds.example/list.csv", "format", "csv", "column", "url")));
        assertEquals(List.of(), problems(Map.of("source", "list.json", "format", "json")));
        assertEquals(List.of(), problems(Map.of("source", "list", "format", "sha1-count", "kind", "password")));
    }

    @Test
    void eachContradictionIsNamedWithItsFeedAndKey() {
        assertProblem(Map.of("source", " "), "feed test: source: ");
        assertProblem(Map.of("source", "ftp://feeds.example/x"), "ftp: cannot be fetched");
        assertProblem(Map.of("format", "csv"), "column: format csv needs");
        assertProblem(Map.of("column", "url"), "column: only format csv");
        assertProblem(Map.of("path", "deny"), "path: only format json");
        assertProblem(Map.of("format", "hosts", "kind", "url"), "format: hosts does not hold kind url");
        assertProblem(Map.of("format", "sha1"), "format: sha1 does not hold kind domain");
        assertProblem(Map.of("kind", "keyword"), "kind: no format holds keyword");
        assertProblem(Map.of("maxBytes", "0"), "maxBytes");
        assertProblem(Map.of("timeout", "PT0S"), "timeout: above 0");
    }

    @Test
    void nameIsNeededFitForAFileAndUnique() {
        Feed feed = Feed.of("twice", KeyKind.DOMAIN, FeedFormat.LINES, "a");
        List<String> problems = new Feeds(List.of(feed, feed), List.of()).problems();
        assertEquals(List.of("feed twice: name: given twice, each feed needs its own"), problems);
        for (String name : List.of("", "../up", "UPPER", "a b", "x".repeat(65))) {
            Feed wrong = Feed.of(name, KeyKind.DOMAIN, FeedFormat.LINES, "a");
            assertTrue(
                    new Feeds(List.of(wrong), List.of()).problems().getFirst().contains("name: 1 to 64"), name);
        }
    }

    @Test
    void stdinServesOneFeed() {
        Feeds feeds = new Feeds(
                List.of(
                        Feed.of("a", KeyKind.DOMAIN, FeedFormat.LINES, "-"),
                        Feed.of("b", KeyKind.DOMAIN, FeedFormat.LINES, "-")),
                List.of());
        assertEquals(List.of("source: '-' (stdin) serves one feed, not 2"), feeds.problems());
    }

    private static List<String> problems(Map<String, String> settings) {
        return new Feeds(List.of(FeedFixtures.feed(settings)), List.of()).problems();
    }

    private static void assertProblem(Map<String, String> settings, String words) {
        List<String> problems = problems(settings);
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(problems.getFirst().contains(words), problems::toString);
    }
}
