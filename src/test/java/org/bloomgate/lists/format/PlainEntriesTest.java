package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.ShortLinks;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A line that is one plain name, URL or address is read by its bytes; with a blank before it, the same line is
/// read as text.
class PlainEntriesTest {
    private static final int NAMES = 3_000;

    private static final List<String> LABELS = List.of(
            "a",
            "b-c",
            "evil",
            "shop7",
            "xn--p1ai",
            "_dmarc",
            "x_y",
            "-",
            "7",
            "0x1f",
            "010",
            "256",
            "hxxp",
            "hxxps",
            "localhost",
            "localdomain",
            "lure",
            "www",
            "allowed",
            "sub",
            "deep",
            "example",
            "com",
            "co",
            "uk",
            "ck",
            "kobe",
            "jp",
            "city",
            "blogspot",
            "github",
            "io",
            "t",
            "s3",
            "amazonaws",
            "eu-west-1",
            "compute",
            "",
            "A",
            "Ünï",
            "*",
            "l".repeat(63),
            "m".repeat(64),
            "%61",
            "a b",
            "1.2.3.4",
            "[",
            "@");

    @ParameterizedTest
    @CsvSource({
        "lines,'',''",
        "lines,'','\r'",
        "wildcard,*.,''",
        "hosts,'0.0.0.0 ',''",
        "hosts,'127.0.0.1 ',''",
        "adblock,||,^",
        "lines,#,''",
        "hosts,'::1 ',''",
        "adblock,@@||,^"
    })
    void name_readsTheSameByBytesAndAsText(String format, String before, String behind) throws Exception {
        for (String kind : format.equals("lines") ? List.of("domain", "auto", "url") : List.of("domain")) {
            Feed feed = FeedFixtures.feed(Map.of("format", format, "kind", kind));
            List<String> lines =
                    names().stream().map(name -> before + name + behind).toList();
            CountingSink bytes = readAlike(feed, lines);
            boolean plain = !kind.equals("url") && !before.matches("#|::1 |@@\\|\\|");
            assertEquals(plain, bytes.asBytes > 0, () -> bytes.asBytes + " names by their bytes");
            assertFalse(bytes.recorded.events.isEmpty() && plain);
        }
    }

    @ParameterizedTest
    @CsvSource({"url,300", "address,300"})
    void urlOrAddress_readsTheSameByBytesAndAsText(String kind, int least) throws Exception {
        Feed feed = FeedFixtures.feed(Map.of("kind", kind));
        Random random = new Random(20260720);
        List<String> names = List.copyOf(names());
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            String name = random.nextBoolean() ? "shop7.example" : names.get(random.nextInt(names.size()));
            lines.add(kind.equals("url") ? url(random, name) : address(random, name));
        }
        CountingSink bytes = readAlike(feed, lines);
        assertTrue(bytes.asBytes > least, () -> bytes.asBytes + " by their bytes");
    }

    private static String url(Random random, String host) {
        List<String> schemes =
                List.of("", "http://", "https://", "HTTP://", "http:/", "hxxp://", "ftp://", "https:", "http");
        StringBuilder url = new StringBuilder(schemes.get(random.nextInt(random.nextBoolean() ? 3 : schemes.size())));
        url.append(host).append(random.nextInt(8) == 0 ? ":80" : "").append(random.nextInt(8) == 0 ? "" : "/");
        return url.append(some(random, URL_PIECES, 6)).toString();
    }

    private static String address(Random random, String host) {
        List<String> folded = List.of("gmail.com", "googlemail.com", "outlook.com", "proton.me", "mail.gmail.com");
        String domain = random.nextInt(4) == 0 ? folded.get(random.nextInt(folded.size())) : host;
        return some(random, ADDRESS_PIECES, 4) + (random.nextInt(16) == 0 ? "" : "@") + domain;
    }

    private static String some(Random random, List<String> pieces, int most) {
        StringBuilder text = new StringBuilder();
        for (int piece = random.nextInt(most); piece >= 0; piece--) {
            boolean plain = random.nextInt(3) > 0;
            text.append(pieces.get(random.nextInt(plain ? 4 : pieces.size())));
        }
        return text.toString();
    }

    private static final List<String> URL_PIECES = List.of(
            "wp",
            "a-b_c",
            "X7",
            "page.html",
            "/",
            "//",
            ".",
            "..",
            "/./",
            "/../",
            "?",
            "?a=b",
            "&c",
            "&amp;d",
            "&a",
            "=",
            "+",
            ",",
            "~",
            ";",
            "!",
            "#x",
            "%41",
            "%",
            "@",
            ":",
            "\u00fc",
            "[.]",
            "(dot)",
            "'",
            "|",
            "{",
            "\\",
            "p".repeat(700),
            "*",
            "$");

    private static final List<String> ADDRESS_PIECES = List.of(
            "user",
            "a.b",
            "x_y-7",
            "n1",
            "+tag",
            ".",
            "U",
            "srs0=",
            "%41",
            "\u00fc",
            "'",
            "\"",
            "(c)",
            "[at]",
            "@",
            "=",
            "<",
            ":",
            ";",
            ",",
            "mailto:",
            "l".repeat(1_700),
            "*",
            "");

    @ParameterizedTest
    @CsvSource({"sha1,40", "sha1-count,40", "ntlm-count,32"})
    void digest_readsTheSameByBytesAndAsText(String format, int digits) throws Exception {
        List<String> behind = List.of(
                "",
                ":1",
                ":0",
                ":",
                ":000",
                ":12x",
                ":" + "9".repeat(18),
                ":" + "9".repeat(19),
                ":-1",
                ": 1",
                "0",
                " ");
        Random random = new Random(20260719);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            int length = random.nextInt(8) == 0 ? digits - random.nextInt(7) : digits;
            StringBuilder digest = new StringBuilder();
            while (digest.length() < length) {
                digest.append("0123456789abcdefABCDEF".charAt(random.nextInt(22)));
            }
            if (random.nextInt(8) == 0) {
                digest.setCharAt(random.nextInt(digest.length()), "gG:/@`\u0660 ".charAt(random.nextInt(8)));
            }
            lines.add(digest + behind.get(random.nextInt(behind.size())));
        }
        Feed feed = FeedFixtures.feed(Map.of("format", format, "kind", "password"));
        CountingSink bytes = readAlike(feed, lines);
        assertTrue(bytes.asBytes > 200, () -> bytes.asBytes + " digests by their bytes");
    }

    /// A line that begins with a blank is not read by its bytes.
    private static CountingSink readAlike(Feed feed, List<String> lines) throws Exception {
        CountingSink bytes = new CountingSink();
        RecordingSink text = new RecordingSink();
        FeedCounts byBytes = FeedFixtures.read(feed, String.join("\n", lines), bytes);
        FeedCounts asText =
                FeedFixtures.read(feed, lines.stream().map(line -> " " + line).collect(Collectors.joining("\n")), text);
        assertEquals(asText, byBytes);
        assertEquals(text.events, bytes.recorded.events);
        return bytes;
    }

    private static Set<String> names() {
        Random random = new Random(20260718);
        List<String> shared = new ArrayList<>(ShortLinks.hosts());
        ShippedLines.of(SharedHosts.class, "shared-hosts.txt")
                .forEach(line -> shared.add(line.replaceFirst("\\S+ +", "").replaceAll("[*%]", "7")));
        Set<String> names = new LinkedHashSet<>(shared);
        shared.forEach(host -> names.add(host.substring(host.indexOf('.') + 1)));
        while (names.size() < NAMES) {
            StringBuilder name = new StringBuilder();
            for (int label = random.nextInt(5); label >= 0; label--) {
                name.append(LABELS.get(random.nextInt(LABELS.size()))).append(label == 0 ? "" : ".");
            }
            names.add(name.toString());
            names.add(LABELS.get(random.nextInt(LABELS.size())) + "." + shared.get(random.nextInt(shared.size())));
        }
        String longest = ("n".repeat(61) + ".").repeat(4) + "abcde";
        names.add(longest);
        names.add("n" + longest);
        return names;
    }

    @ParameterizedTest
    @CsvSource({"evil.example,true", "held.example,false"})
    void plainName_isHeldForAFeedAtFault(String name, boolean taken) throws Exception {
        RecordingSink sink = new RecordingSink();
        FeedReader reader =
                FeedFixtures.READER.withHeldKeys(Map.of(new Key(KeyKind.DOMAIN, "held.example"), "at fault"));
        reader.read(
                FeedFixtures.feed(Map.of()),
                () -> new ByteArrayInputStream(name.getBytes(StandardCharsets.UTF_8)),
                sink);
        assertTrue(sink.events.contains("1 " + (taken ? "key " : "held ") + name), sink.events::toString);
    }

    private static final class CountingSink implements FeedSink {
        private final RecordingSink recorded = new RecordingSink();
        private int asBytes;

        @Override
        public void addKey(long line, Key key, long count) {
            recorded.addKey(line, key, count);
        }

        @Override
        public void addBelow(long line, Key key) {
            recorded.addBelow(line, key);
        }

        @Override
        public void addKey(long line, KeyKind kind, byte[] bytes, int from, int to, long count) {
            asBytes++;
            FeedSink.super.addKey(line, kind, bytes, from, to, count);
        }

        @Override
        public void reject(long line, String reason, String excerpt) {
            recorded.reject(line, reason, excerpt);
        }

        @Override
        public void hold(long line, String reason, Key key) {
            recorded.hold(line, reason, key);
        }

        @Override
        public void except(long line, Key key) {
            recorded.except(line, key);
        }
    }
}
