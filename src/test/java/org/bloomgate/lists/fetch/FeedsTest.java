package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lists.format.FeedFixtures;
import org.junit.jupiter.api.Test;

class FeedsTest {

    @Test
    void defaultsAreWhatTheCommentsOfTheFileSay() {
        Feed feed = Feed.defaults();
        assertEquals(FeedKind.DOMAIN, feed.kind());
        assertEquals(FeedFormat.LINES, feed.format());
        assertEquals("listed", feed.category());
        assertEquals(Match.SUFFIX, feed.match());
        assertEquals(Cadence.NIGHTLY, feed.cadence());
        assertEquals(Set.of(Use.values()), feed.use());
        assertEquals(2L << 30, feed.transfer().maxBytes());
        assertEquals(8L << 30, feed.transfer().maxUnpackedBytes());
        assertEquals(Duration.ofMinutes(30), feed.transfer().timeout());
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
        assertEquals(List.of(), problems(Map.of("source", "list", "kind", "hash")));
        assertEquals(List.of(), problems(Map.of("source", "list", "kind", "auto", "use", "sender,link")));
        assertEquals(List.of(), problems(Map.of("source", "list", "kind", "auto", "format", "adblock")));
    }

    @Test
    void eachContradictionBeginsWithItsKey() {
        assertProblem(Map.of("source", " "), "source: a path");
        assertProblem(Map.of("source", "ftp://feeds.example/x"), "source: ftp: cannot be fetched");
        assertProblem(Map.of("format", "csv"), "column: format csv needs");
        assertProblem(Map.of("column", "url"), "column: only format csv");
        assertProblem(Map.of("path", "deny"), "path: only format json");
        assertProblem(Map.of("format", "hosts", "kind", "url"), "format: hosts does not hold kind url");
        assertProblem(Map.of("format", "hosts", "kind", "auto"), "format: hosts does not hold kind auto");
        assertProblem(Map.of("format", "rpz", "kind", "auto"), "format: rpz does not hold kind auto");
        assertProblem(Map.of("format", "sha1", "kind", "auto"), "format: sha1 does not hold kind auto");
        assertProblem(Map.of("format", "sha1"), "format: sha1 does not hold kind domain");
        assertProblem(Map.of("format", "sha1", "kind", "hash"), "format: sha1 does not hold kind hash");
        assertProblem(Map.of("kind", "auto", "use", "sender,header"), "use: kind auto holds URLs");
        assertProblem(Map.of("kind", "keyword", "use", "link"), "use: is about identifiers in mail");
        assertProblem(Map.of("maxBytes", "0"), "maxBytes: above 0");
        assertProblem(Map.of("maxUnpackedBytes", "0"), "maxUnpackedBytes: above 0");
        assertProblem(Map.of("category", ""), "category: a word");
        assertProblem(Map.of("category", "c".repeat(65)), "category: a word");
        assertProblem(Map.of("use", ""), "use: at least one");
        assertProblem(Map.of("timeout", "PT0S"), "timeout: above 0");
    }

    @Test
    void digestsAreOfDomainsAndAddresses() {
        assertEquals(
                FeedKind.DOMAIN_SHA1,
                FeedFixtures.feed(Map.of("digest", "sha1")).kind());
        assertEquals(List.of(), problems(Map.of("digest", "sha1", "kind", "address", "format", "json")));
        assertProblem(Map.of("digest", "sha1", "kind", "url"), "digest: sha1 is of domains and addresses");
        assertProblem(Map.of("digest", "sha1", "format", "hosts"), "format: hosts does not hold");
        assertProblem(Map.of("kind", "domain-sha1"), "kind: domain-sha1 is kind domain or address with digest sha1");
    }

    @Test
    void everyUse_appliesToDomains_noneToPasswordsAndFiles() {
        assertEquals(List.of(), problems(Map.of("use", "link")));
        assertEquals(List.of(), problems(Map.of("kind", "password", "use", "sender,header,link")));
        assertProblem(Map.of("kind", "password", "use", "link"), "use: is about identifiers in mail");
        assertProblem(Map.of("atConnect", "true"), "atConnect: is about the address of a client");
        assertProblem(Map.of("kind", "hash", "use", "sender"), "use: is about identifiers in mail");
    }

    @Test
    void nameAndSourceHaveToBeGiven() {
        List<String> problems = Feed.defaults().problems();
        assertEquals(2, problems.size(), problems::toString);
        assertTrue(problems.getFirst().startsWith("name: "), problems::toString);
        assertTrue(problems.getLast().startsWith("source: "), problems::toString);
    }

    @Test
    void nameIsFitForAFile() {
        for (String name : List.of("../up", "UPPER", "a b", ".a", "x".repeat(65))) {
            List<String> problems =
                    Feed.of(name, KeyKind.DOMAIN, FeedFormat.LINES, "a").problems();
            assertEquals(1, problems.size(), name);
            assertTrue(problems.getFirst().startsWith("name: 1 to 64"), name);
        }
    }

    @Test
    void nameIsUnique() {
        Feed feed = Feed.of("twice", KeyKind.DOMAIN, FeedFormat.LINES, "a");
        assertEquals(
                List.of("feeds[1].name: twice is given twice, each feed needs its own"),
                new Feeds(List.of(feed, feed), List.of()).problems());
    }

    @Test
    void stdinServesOneFeed() {
        Feeds feeds = new Feeds(
                List.of(
                        Feed.of("a", KeyKind.DOMAIN, FeedFormat.LINES, "-"),
                        Feed.of("b", KeyKind.DOMAIN, FeedFormat.LINES, "-")),
                List.of());
        assertEquals(List.of("feeds[1].source: '-' (stdin) serves one feed"), feeds.problems());
    }

    private static List<String> problems(Map<String, String> settings) {
        return FeedFixtures.feed(settings).problems();
    }

    private static void assertProblem(Map<String, String> settings, String words) {
        List<String> problems = problems(settings);
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(problems.getFirst().startsWith(words), problems::toString);
    }
}
