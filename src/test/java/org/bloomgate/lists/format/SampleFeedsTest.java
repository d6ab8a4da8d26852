package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bloomgate.lists.fetch.FeedCounts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The lists that ship in `blacklists/sample` are read whole and name nothing that exists.
class SampleFeedsTest {
    private static final Pattern RESERVED = Pattern.compile(
            "(?:.*[@.])?[^/]*\\.(?:example|test)(?:/.*)?|(?:192\\.0\\.2|198\\.51\\.100)\\.\\d+(?:/.*)?|\\[2001:db8::\\w*]");

    @ParameterizedTest
    @CsvSource({
        "domains.txt, domain, lines, ''",
        "hosts.txt, domain, hosts, ''",
        "adblock.txt, domain, adblock, ''",
        "wildcard.txt, domain, wildcard, ''",
        "dnsmasq.conf, domain, dnsmasq, ''",
        "unbound.conf, domain, unbound, ''",
        "rpz.zone, domain, rpz, ''",
        "rbldnsd.txt, domain, rbldnsd, ''",
        "domains.json, domain, json, deny",
        "urls.txt, url, lines, ''",
        "urls.csv, url, csv, url",
        "addresses.txt, address, lines, ''",
        "hashes.txt, hash, lines, ''",
        "passwords.txt, password, lines, ''",
        "passwords-sha1.txt, password, sha1-count, ''"
    })
    void sampleGivesEntriesAndNoRejects(String file, String kind, String format, String where) throws IOException {
        Map<String, String> settings = where.isEmpty()
                ? Map.of("kind", kind, "format", format)
                : Map.of("kind", kind, "format", format, format.equals("csv") ? "column" : "path", where);
        FeedReader reader = new FeedReader(FeedFixtures.KEYS, AllowList.load(List.of()));
        RecordingSink sink = new RecordingSink();
        FeedCounts counts = reader.read(
                FeedFixtures.feed(settings), () -> Files.newInputStream(Path.of("blacklists/sample", file)), sink);
        assertEquals(0, counts.rejects() + counts.held(), sink.events::toString);
        assertTrue(counts.entries() > 1);
        if (!kind.equals("password") && !kind.equals("hash")) {
            sink.keys.forEach(key -> assertTrue(RESERVED.matcher(key).matches(), key));
        }
    }
}
