package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What real lists hold besides entries, kind by kind of oddity.
class FeedOdditiesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "domain~lines~name.example  \t~name.example",
                "domain~lines~name.example # was: other.example~name.example",
                "url~lines~https://x.example/#/register~x.example/",
                "domain~lines~192.0.2.7~192.0.2.7",
                "domain~lines~0xc0000207~192.0.2.7",
                "domain~lines~192.0.2.7:8880~192.0.2.7",
                "domain~lines~[2001:db8::1]:443~[2001:db8::1]",
                "domain~lines~192.0.2.0/31 ~192.0.2.0 192.0.2.1",
                "domain~lines~name_with_underscore.example~name_with_underscore.example",
                "url~lines~http://www_x_com.example/~www_x_com.example/",
                "domain~lines~xmr.-eu1.nanopool.example~xmr.-eu1.nanopool.example",
                "domain~lines~en.net-hub.example.~en.net-hub.example",
                "domain~lines~UPPER.Example~upper.example",
                "domain~lines~xn--bcher-kva.example~xn--bcher-kva.example",
                "domain~lines~b\u00fccher.example~xn--bcher-kva.example",
                "domain~lines~plesk[.]page.example~plesk.page.example",
                "url~lines~hxxp://evil[.]example/a~evil.example/a",
                "url~lines~https://bank.example@evil.example/a~evil.example/a",
                "url~lines~https://x.example/a?b=1&amp;c=2~x.example/a?b=1&c=2",
                "domain~hosts~0.0.0.0 one.example two.example~one.example two.example",
                "domain~hosts~:: six.example~six.example",
                "domain~adblock~||name.example^~name.example",
                "address~lines~Somebody@Mail.Example~somebody@mail.example"
            })
    void entryIsUnderstood(String kind, String format, String line, String keys) throws FeedRefusedException {
        RecordingSink sink = read(kind, format, line);
        assertEquals(List.of(keys.split(" ")), sink.keys);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "domain, lines, 182.86.133:8880",
                "domain, hosts, 0.0.0.0 inf",
                "domain, lines, /365-Stealer/",
                "domain, lines, bit.ly/2zo2ibr",
                "domain, lines, clk.rtpdn*.example",
                "domain, lines, /evil[0-9]+/",
                "domain, lines, somebody@mail.example",
                "domain, adblock, @@||name.example^$script",
                "domain, adblock, ||name.example^$third-party",
                "domain, adblock, /evil[0-9]+/",
                "domain, adblock, name.example##.banner",
                "domain, hosts, 192.0.2.7 name.example",
                "url, lines, /only/a/path",
                "address, lines, not-an-address"
            })
    void lineIsRejectedAndNeverGuessed(String kind, String format, String line) throws FeedRefusedException {
        RecordingSink sink = read(kind, format, line);
        assertEquals(List.of(), sink.keys);
        assertEquals(
                1,
                sink.events.stream().filter(event -> event.contains(" reject ")).count(),
                sink.events::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {".cc", ".su", "*.co.uk", "com", "github.io"})
    void wholePublicSuffixIsHeld(String line) throws FeedRefusedException {
        RecordingSink sink = read("domain", "lines", line);
        assertEquals(List.of(), sink.keys);
        assertEquals(
                1,
                sink.events.stream().filter(event -> event.contains(" held ")).count(),
                sink.events::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"example.com", "www.example.com", "a.b.example.org", "bad.test", "x.localhost", "printer.local"})
    void reservedNamesAreHeldInFetchedFeedsAlone(String name) throws FeedRefusedException {
        assertEquals(List.of("1 held " + name), readFrom("https://lists.invalid/bad", "false", name).events);
        assertEquals(List.of("1 key " + name), readFrom("https://lists.invalid/bad", "true", name).events);
        assertEquals(List.of("1 key " + name), readFrom("bad.txt", "false", name).events);
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.co", "myexample.com", "example.com.evil.net", "localhost.evil.net"})
    void namesLikeReservedOnesAreListed(String name) throws FeedRefusedException {
        assertEquals(List.of("1 key " + name), readFrom("https://lists.invalid/bad", "false", name).events);
    }

    private static RecordingSink readFrom(String source, String trusted, String line) throws FeedRefusedException {
        RecordingSink sink = new RecordingSink();
        FeedFixtures.read(FeedFixtures.feed(Map.of("source", source, "trusted", trusted)), line + "\n", sink);
        return sink;
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1 localhost", "::1 ip6-localhost ip6-loopback", "255.255.255.255 broadcasthost"})
    void hostsOwnNamesAreNoEntries(String line) throws FeedRefusedException {
        RecordingSink sink = read("domain", "hosts", line);
        assertEquals(List.of(), sink.events);
    }

    @Test
    void numberSignIsPartOfAPassword() throws FeedRefusedException {
        RecordingSink one = read("password", "lines", "#secret # no comment");
        assertEquals(1, one.keys.size());
    }

    @Test
    void byteOrderMarkLineEndsAndAMissingLastOneMakeNoDifference() throws FeedRefusedException {
        RecordingSink sink = new RecordingSink();
        byte[] bytes = "\uFEFFone.example\r\ntwo.example \r\n\r\nthree.example".getBytes(StandardCharsets.UTF_8);
        FeedCounts counts = FeedFixtures.read(FeedFixtures.feed(Map.of()), bytes, sink);
        assertEquals(List.of("one.example", "two.example", "three.example"), sink.keys);
        assertEquals(new FeedCounts(4, 3, 1, 0, 0, 0, 3), counts);
    }

    @Test
    void lineOfNineKilobytesIsALine() throws FeedRefusedException {
        RecordingSink sink = read("url", "lines", "https://x.example/" + "a".repeat(9_000));
        assertEquals(1, sink.keys.size());
    }

    @Test
    void blanksAndCommasStandInQuotesAndAShiftedRowCostsItself() throws FeedRefusedException {
        Feed feed = FeedFixtures.feed(Map.of("kind", "url", "format", "csv", "column", "url"));
        RecordingSink sink = new RecordingSink();
        String csv = "id,url,tag\n1,\"http://a.example/x,y z\",t\n2,http://b.example/p,q,t\n3,http://c.example/,t\n";
        FeedCounts counts = FeedFixtures.read(feed, csv, sink);
        assertEquals(List.of("a.example/x,y%20z", "c.example/"), sink.keys);
        assertEquals(1, counts.rejects());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<!DOCTYPE html><title>Sign in</title>",
                "{\"error\": \"rate limit\"}",
                "{\"host\":\"a.example\"}\n{\"host\":\"b.example\"}\n",
                "#fields\tindicator\tindicator_type\na.example\tIntel::DOMAIN\n",
                "Some range:192.0.2.1-192.0.2.9\n"
            })
    void whatIsNoListAtAllIsRefused(String content) {
        assertThrows(
                FeedRefusedException.class,
                () -> FeedFixtures.read(FeedFixtures.feed(Map.of()), content, new RecordingSink()));
    }

    @Test
    void plainTextInsteadOfCsvIsRefused() {
        Feed feed = FeedFixtures.feed(Map.of("kind", "url", "format", "csv", "column", "url"));
        assertThrows(
                FeedRefusedException.class,
                () -> FeedFixtures.read(feed, "http://a.example/\nhttp://b.example/\n", new RecordingSink()));
    }

    @Test
    void aFeedThatCannotBeReadSaysWhy() throws IOException {
        assertEquals("feed test: cannot be read to its end: permission denied", refusal(() -> {
            throw new AccessDeniedException("d.txt");
        }));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write("a.example\n".repeat(100).getBytes(StandardCharsets.UTF_8));
        }
        byte[] cut = Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
        assertEquals(
                "feed test: cannot be read to its end: it ended early", refusal(() -> new ByteArrayInputStream(cut)));
    }

    private static String refusal(FeedReader.Content content) {
        Feed feed = FeedFixtures.feed(Map.of());
        return FeedFixtures.message(assertThrows(
                FeedRefusedException.class, () -> FeedFixtures.READER.read(feed, content, new RecordingSink())));
    }

    private static RecordingSink read(String kind, String format, String line) throws FeedRefusedException {
        RecordingSink sink = new RecordingSink();
        FeedFixtures.read(FeedFixtures.feed(Map.of("kind", kind, "format", format)), line + "\n", sink);
        return sink;
    }
}
