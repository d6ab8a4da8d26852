package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.Map;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;

/// What holds for any bytes taken as a feed: the first says which format, the rest is the feed. It is read to
/// counts that add up, or refused for a reason of its own, and no line is rejected because a reader failed.
public final class FeedFuzz {
    private static final FeedFormat[] FORMATS = FeedFormat.values();

    private FeedFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length > 0) {
            FeedFormat format = FORMATS[(bytes[0] & 0xff) % FORMATS.length];
            read(format, bytes[0] < 0, Arrays.copyOfRange(bytes, 1, bytes.length));
        }
    }

    /// @param urls of a format that may hold URLs too: those instead of domains, or both
    static void read(FeedFormat format, boolean urls, byte[] content) {
        RecordingSink sink = new RecordingSink();
        try {
            FeedCounts counts = FeedFixtures.read(feed(format, urls), content, sink);
            assertEquals(counts.lines(), counts.entries() + counts.comments() + counts.rejects() + counts.held());
        } catch (FeedRefusedException refused) {
            assertFalse(refused.isFault(), () -> FeedFixtures.message(refused));
        }
        sink.events.forEach(event -> assertFalse(event.contains("a fault of the reader"), event));
    }

    static Feed feed(FeedFormat format, boolean urls) {
        String any = urls ? "url" : "domain";
        return FeedFixtures.feed(
                switch (format) {
                    case CSV -> Map.of("format", "csv", "column", "url", "kind", any);
                    case JSON -> Map.of("format", "json", "path", "a.*", "kind", any);
                    case LINES -> Map.of("kind", urls ? "auto" : "domain");
                    case CIDR -> Map.of("format", "cidr", "kind", "network");
                    case RBLDNSD -> Map.of("format", "rbldnsd", "kind", urls ? "network" : "domain");
                    case SHA1, SHA1_COUNT, NTLM_COUNT -> Map.of("format", format.label(), "kind", "password");
                    case STIX, MISP -> Map.of("format", format.label(), "kind", urls ? "auto" : "domain");
                    case ADBLOCK -> Map.of("format", "adblock", "kind", urls ? "auto" : "domain");
                    case HOSTS, WILDCARD, DNSMASQ, UNBOUND, RPZ, BIND -> Map.of("format", format.label());
                });
    }
}
