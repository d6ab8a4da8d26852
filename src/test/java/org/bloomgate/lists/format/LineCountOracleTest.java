package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Hostile bytes against the one equation that always holds: a line is an entry, a comment, a reject or held.
class LineCountOracleTest {
    private static final int ROUNDS = 150;

    private static final List<String> PIECES = List.of(
            "evil.example",
            "t.co",
            "co.uk",
            "0.0.0.0 ",
            "127.0.0.1\t",
            "||",
            "^",
            "*.",
            "address=/",
            "/",
            "#",
            " # x",
            "\"",
            "\"\"",
            ",",
            "url",
            "local-zone: \"",
            "\" static",
            " CNAME .",
            "(",
            ")",
            "SOA ",
            "::",
            "[",
            "]",
            "{",
            "}",
            ":",
            "\n",
            "\n",
            "\n",
            "\n",
            "\r\n",
            "\r",
            "\t",
            "\u0000",
            "\u00fc",
            "\u202e",
            "192.0.2.1",
            "/24",
            "%00",
            "@",
            "$",
            ";",
            "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8",
            ":12",
            "\ufeff",
            "http://",
            "a=1&b=2",
            "<p>",
            "!",
            "x");

    @ParameterizedTest
    @EnumSource(
            value = FeedFormat.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"JSON", "STIX", "MISP"})
    void everyPhysicalLineIsCountedOnce(FeedFormat format) throws FeedRefusedException {
        Random random = new Random(format.label().hashCode());
        Feed feed = feed(format);
        long entries = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = soup(random, format);
            FeedCounts counts = FeedFixtures.read(feed, bytes, new RecordingSink());
            assertEquals(physicalLines(bytes), counts.lines(), () -> new String(bytes, StandardCharsets.ISO_8859_1));
            assertEquals(
                    counts.lines(),
                    counts.entries() + counts.comments() + counts.rejects() + counts.held(),
                    () -> new String(bytes, StandardCharsets.ISO_8859_1));
            entries += counts.entries();
        }
        assertTrue(entries > 0, "the soup holds no entry, so the test says little");
    }

    @ParameterizedTest
    @EnumSource(FeedFormat.class)
    void pureNoiseIsReadOrRefusedButNeverThrowsAnythingElse(FeedFormat format) {
        Random random = new Random(7);
        Feed feed = feed(format);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            try {
                FeedCounts counts = FeedFixtures.read(feed, bytes, new RecordingSink());
                assertEquals(counts.lines(), counts.entries() + counts.comments() + counts.rejects() + counts.held());
            } catch (FeedRefusedException refused) {
                assertTrue(FeedFixtures.message(refused).startsWith("feed test: "), FeedFixtures.message(refused));
            }
        }
    }

    private static Feed feed(FeedFormat format) {
        return switch (format) {
            case SHA1, SHA1_COUNT, NTLM_COUNT ->
                FeedFixtures.feed(Map.of("kind", "password", "format", format.label()));
            case CSV -> FeedFixtures.feed(Map.of("kind", "url", "format", "csv", "column", "url"));
            case CIDR -> FeedFixtures.feed(Map.of("kind", "network", "format", "cidr"));
            case LINES, HOSTS, ADBLOCK, WILDCARD, DNSMASQ, UNBOUND, RPZ, BIND, RBLDNSD, JSON, STIX, MISP ->
                FeedFixtures.feed(Map.of("format", format.label()));
        };
    }

    /// Begins with a plain head, so that no look at the whole refuses it.
    private static byte[] soup(Random random, FeedFormat format) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes((format == FeedFormat.CSV ? "id,url\n" : "# list\n").getBytes(StandardCharsets.UTF_8));
        out.writeBytes("# padding that keeps the share of control bytes low "
                .repeat(40)
                .getBytes(StandardCharsets.UTF_8));
        out.write('\n');
        for (int i = random.nextInt(200); i >= 0; i--) {
            int chance = random.nextInt(30);
            if (chance == 0) {
                out.write(random.nextInt(256));
            } else if (chance == 1) {
                out.writeBytes(("\n" + entry(format) + "\n").getBytes(StandardCharsets.UTF_8));
            } else {
                out.writeBytes(PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }

    private static String entry(FeedFormat format) {
        return switch (format) {
            case LINES, JSON, STIX, MISP -> "evil.example";
            case CIDR -> "8.8.8.0/24";
            case HOSTS -> "0.0.0.0 evil.example worse.example";
            case ADBLOCK -> "||evil.example^";
            case WILDCARD -> "*.evil.example";
            case DNSMASQ -> "address=/evil.example/";
            case UNBOUND -> "local-zone: \"evil.example\" static";
            case RPZ -> "evil.example CNAME .";
            case BIND -> "zone \"evil.example\" { type primary; };";
            case RBLDNSD -> ".evil.example";
            case CSV -> "1,http://evil.example/\n2,\"http://evil.example/\nover two lines\"";
            case SHA1, SHA1_COUNT -> "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8";
            case NTLM_COUNT -> "8846F7EAEE8FB117AD06BDD830B7586C:37359195";
        };
    }

    private static long physicalLines(byte[] bytes) {
        long lines = 0;
        for (byte b : bytes) {
            lines += b == '\n' ? 1 : 0;
        }
        return bytes[bytes.length - 1] == '\n' ? lines : lines + 1;
    }
}
