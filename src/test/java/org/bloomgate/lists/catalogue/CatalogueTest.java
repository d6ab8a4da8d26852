package org.bloomgate.lists.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.format.FeedFixtures;
import org.bloomgate.lists.format.RecordingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueTest {
    private static final Catalogue CATALOGUE = Catalogue.shipped();

    /// Categories that reject by default, as any category without an action does.
    private static final Set<String> REJECTED = Set.of("phishing", "malware", "botnet", "scam", "spam", "weak");

    static Stream<CatalogueEntry> lists() {
        return CATALOGUE.lists().stream();
    }

    static Stream<CatalogueEntry> fetched() {
        return lists().filter(list -> list.feed().queriedZone().isEmpty());
    }

    @Test
    void fileInTheRepository_isTheOneThatShips() throws IOException {
        try (var in = Catalogue.class.getResourceAsStream("catalogue.yaml")) {
            assertEquals(
                    Files.readString(Path.of("config/catalogue.yaml")),
                    new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertEquals(40, CATALOGUE.lists().size());
        assertEquals(40, lists().map(list -> list.feed().name()).distinct().count());
    }

    @ParameterizedTest
    @MethodSource("lists")
    void list_isComplete(CatalogueEntry list) {
        String name = list.feed().name();
        assertEquals(List.of(), list.feed().problems(), name);
        assertFalse(list.description().isEmpty() || list.description().endsWith("."), name);
        assertFalse(
                list.publisher().isEmpty()
                        || list.licence().isEmpty()
                        || list.affects().isEmpty(),
                name);
        assertTrue(list.homepage().startsWith("https://"), name);
        assertTrue(Set.of("sender", "client", "link", "attachment", "login").containsAll(list.affects()), name);
        assertTrue(list.verified().isEmpty() || !list.check().isEmpty(), name);
        assertTrue(list.size() > 0 || list.feed().queriedZone().isPresent(), name);
        assertEquals(name, CATALOGUE.list(name).orElseThrow().feed().name());
    }

    /// An unknown category rejects: a new one needs a decision.
    @ParameterizedTest
    @MethodSource("lists")
    void category_hasAnActionByDefault(CatalogueEntry list) {
        Set<String> categories =
                new TreeSet<>(list.feed().confirming().answers().values());
        categories.addAll(list.feed().confirming().bits().values());
        categories.add(list.feed().category());
        categories.removeAll(REJECTED);
        categories.removeAll(PolicyOptions.defaults().categories().keySet());
        assertEquals(Set.of(), categories);
    }

    @Test
    void starter_isFiveFetchedListsWithoutAKey() {
        List<CatalogueEntry> starter = CATALOGUE.starter().stream()
                .map(name -> CATALOGUE.list(name).orElseThrow())
                .toList();
        assertEquals(5, starter.size());
        assertTrue(starter.stream()
                .allMatch(list -> list.keyVariable().isEmpty()
                        && list.feed().queriedZone().isEmpty()));
    }

    /// Two values each; names that are reserved are held back in feeds from the network.
    @ParameterizedTest
    @MethodSource("fetched")
    void sample_isRead(CatalogueEntry list) throws IOException {
        FeedCounts counts = FeedFixtures.read(
                list.feed(),
                sample(list.feed()).replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                new RecordingSink());
        assertEquals(0, counts.rejects());
        assertEquals(2, counts.entries() + counts.held());
    }

    private static String sample(Feed feed) {
        return switch (feed.name()) {
            case "spamhaus-drop" -> "{'cidr':'192.0.2.0/24'}\n{'cidr':'198.51.100.0/24'}\n{'type':'metadata'}\n";
            case "spamhaus-drop-v6" -> "{'cidr':'2001:db8::/32','sblid':'SBL1'}\n{'cidr':'2001:db8:1::/48'}\n";
            case "feodo" -> "'first_seen_utc','dst_ip','dst_port'\n'x','192.0.2.1','443'\n'x','192.0.2.2','443'\n";
            case "urlhaus" -> "# id,dateadded,url\n'1','x','http://a.example/x,y'\n'2','x','http://b.example/'\n";
            case "phishtank" -> "phish_id,url,target\n1,http://a.example/x,A\n2,'http://b.example/',B\n";
            case "threatfox-urls" -> "# 'ioc_id','ioc_value'\n'1', 'http://a.example/x'\n'2', 'b.example'\n";
            case "polkadot-phishing" -> "{'allow':['good.example'],'deny':['a.example','b.example']}";
            case "openphish" -> "http://a.example/x\nhttps://b.example/y\n";
            case "malwarebazaar" -> "# sha256\n" + "0a".repeat(32) + "\n" + "0b".repeat(32) + "\n";
            case "ncsc-100k" -> "123456\nletmein\n";
            default ->
                switch (feed.format()) {
                    case CIDR -> "# set\n192.0.2.0/24\n198.51.100.7\n";
                    case HOSTS -> "127.0.0.1 localhost\n0.0.0.0 a.example\n0.0.0.0 b.example\n";
                    case ADBLOCK -> "! list\n||a.example^\n||b.example^$all\n";
                    default -> "# list\na.example\nb.example\n";
                };
        };
    }
}
