package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.fetch.PhysicalLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormatDetectionTest {
    private static final Feed BASE = Feed.of("list", KeyKind.DOMAIN, FeedFormat.LINES, "list.txt");

    private static List<FormatDetection.Guess> guesses(byte[] content) throws IOException {
        return FormatDetection.guess(FeedFixtures.READER, BASE, () -> new ByteArrayInputStream(content));
    }

    private static List<FormatDetection.Guess> guesses(String content) throws IOException {
        return guesses(content.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Feed feed) {
        return feed.kind().label() + " " + feed.format().label()
                + feed.position().column().map(column -> " " + column).orElse("")
                + feed.position().path().map(path -> " " + path).orElse("");
    }

    private static String all(List<FormatDetection.Guess> guesses) {
        return guesses.stream().map(guess -> text(guess.feed())).collect(Collectors.joining(", "));
    }

    static Stream<Feed> samples() throws ConfigException {
        return ConfigReader.read(Path.of("config/feeds.yaml"), Feeds.defaults()).feeds().stream();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shippedSample_isReadAsItIsConfigured(Feed sample) throws IOException {
        assertEquals(text(sample), all(guesses(Files.readAllBytes(Path.of(sample.source())))));
    }

    /// 64 MB of one line, of long lines and of nested members.
    @ParameterizedTest
    @CsvSource({
        "',', 0",
        "',', 65000",
        "';', 70000",
        "'\"', 0",
        "'\"', 5000",
        "a, 0",
        "'{\"a\":', 0",
        "'{\"a\":1,', 0",
        "[, 0"
    })
    @Timeout(20)
    void endlessText_isBounded(String unit, int lineLength) throws IOException {
        String line = unit.repeat((lineLength == 0 ? 1 << 20 : lineLength) / unit.length());
        byte[] part = (lineLength == 0 ? line : line + "\n").getBytes(StandardCharsets.UTF_8);
        FeedReader.Content content = () -> new SequenceInputStream(
                Collections.enumeration(Collections.nCopies((64 << 20) / part.length, part).stream()
                        .map(ByteArrayInputStream::new)
                        .toList()));
        try {
            List<FormatDetection.Guess> found = FormatDetection.guess(FeedFixtures.READER, BASE, content);
            assertTrue(found.stream().noneMatch(FormatDetection.Guess::certain), all(found));
        } catch (FeedRefusedException noList) {
            assertTrue(String.valueOf(noList.getMessage()).length() < 1_000);
        }
    }

    @Test
    void longLine_isLeftOutOfTheSample() throws IOException {
        String names =
                IntStream.range(0, 100).mapToObj(i -> "n" + i + ".example\n").collect(Collectors.joining());
        String tooLong = ",".repeat(PhysicalLines.MAX_BYTES + 1) + "\n";
        assertEquals("domain lines", all(guesses(names + tooLong + names)));
    }

    /// A line feed is written LF. Several ways mean undecided.
    @ParameterizedTest
    @CsvSource(delimiter = '=', textBlock = """
            192.0.2.1LF198.51.100.0/24 ; SBL1LF2001:db8::/32 = network cidr
            192.0.2.1LF192.0.2.2LFbad.example = domain lines
            http://a.example/x,7LFhttp://b.example/y,8 = url csv 1
            http://a.example/xLFb.example = auto lines
            when,link,seenLF2026-01-01,http://a.example/x,1LF2026-01-02,http://b.example/y,2 = url csv link
            1;a.example;xLF2;b.example;y = domain csv 2
            #first,ip,domainLF1,192.0.2.1,a.exampleLF2,192.0.2.2,b.example = domain csv domain
            a,bLF192.0.2.1,a.exampleLF192.0.2.2,b.example = network csv a, domain csv b
            +31201234567LF+31201234568 = phone lines
            [{"ip":"192.0.2.1","as":"x"},{"ip":"192.0.2.2","as":"y"}] = network json ip
            {"12":[{"ioc_value":"a.example"}],"13":[{"ioc_value":"b.example"}]} = domain json *.ioc_value
            {"a.example":{"since":"2026"},"b.example":{"since":"2026"}} = domain json
            {"good":["a.example"],"bad":["b.example"]} = domain json good, domain json bad
            :127.0.0.2:listedLF.a.exampleLFb.example = domain rbldnsd
            """)
    void list_isRecognised(String content, String expected) throws IOException {
        List<FormatDetection.Guess> found = guesses(content.replace("LF", "\n") + "\n");
        assertEquals(expected, all(found));
        assertEquals(found.size() == 1, found.getFirst().certain());
    }

    /// Lines of other programs with a name, a URL, an address, a network or a word in them (`%s`).
    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s REJECT",
                "%s\t\tREJECT",
                "%s 5.0",
                "%s 550 go away",
                "%s 1;",
                "%s yes",
                "12 %s",
                "- %s",
                "  - %s",
                "deny %s;",
                "Deny from %s",
                "blacklist_from %s",
                "acl bad dstdomain %s",
                "From:%s\tREJECT",
                "%s: reject",
                "%s = bad",
                "%s|spam",
                "/%s/ REJECT",
                "^%s$",
                "!%s",
                "*%s*",
                "[%s]",
                "(%s)",
                "%s -> x",
                "INSERT INTO t VALUES ('%s', 1);",
                "-A INPUT -s %s -j DROP",
                "zone %s { type master };",
                "2026-01-01T00:00:00Z host reject: %s"
            })
    void tableOfAnotherProgram_isNotCertain(String line) throws IOException {
        for (String value : List.of(
                "d%02d-evil.net", "http://evil.example/a/%d", "user%d@evil.example", "192.0.2.%d", "word%dx", "%x")) {
            String table = IntStream.range(160, 200)
                    .mapToObj(i -> line.formatted(value.formatted(i)) + "\n")
                    .collect(Collectors.joining());
            String read = value.formatted(160).replace("http://", "");
            List<FormatDetection.Guess> found = guesses(table);
            assertTrue(
                    found.stream()
                            .allMatch(guess -> !guess.certain()
                                    || guess.examples().contains(read)
                                    || guess.examples().contains(read + "/32")),
                    found.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "letmein 123456 password1 qwerty, true",
        "letmein 123456 password1 asdf, false",
        "web1 web2 mail db1 backup, false",
        "bob alice1 root www-data mysql, false",
        "zlib1g bash libc6 coreutils, false"
    })
    void passwords_areCertainByTheCommonOnes(String words, boolean certain) throws IOException {
        List<FormatDetection.Guess> found = guesses(words.replace(' ', '\n'));
        assertEquals(FeedKind.PASSWORD, found.getFirst().feed().kind());
        assertEquals(certain, found.getFirst().certain());
    }

    @Test
    void keywords_areNeverCertain() throws IOException {
        List<FormatDetection.Guess> found = guesses("cheap pills\nbuy now\nwin money\n");
        assertEquals("keyword lines", all(found));
        assertFalse(found.getFirst().certain());
    }

    @Test
    void bareSha1_isUndecided() throws IOException {
        assertEquals("password sha1, domain-sha1 lines", all(guesses("0a".repeat(20) + "\n" + "0b".repeat(20) + "\n")));
    }

    @Test
    void linesBeyondTheSample_areNotRead_butTheEndIsSeen() throws IOException {
        String hosts = IntStream.range(0, 5 * FormatDetection.MAX_LINES)
                .mapToObj(i -> i < 2 * FormatDetection.MAX_LINES ? "192.0.2." + i % 256 : "n" + i + ".example")
                .collect(Collectors.joining("\n"));
        assertEquals("domain lines", all(guesses(hosts)));
    }

    @Test
    void examples_areTheFirstFiveValues_butNotOfPasswords() throws IOException {
        String names =
                IntStream.range(0, 9).mapToObj(i -> "n" + i + ".example\n").collect(Collectors.joining());
        assertEquals(
                List.of("n0.example", "n1.example", "n2.example", "n3.example", "n4.example"),
                guesses(names).getFirst().examples());
        List<FormatDetection.Guess> secret = guesses("letmein\n123456\npassword1\nqwerty\n");
        assertEquals("password lines", all(secret));
        assertEquals(List.of(), secret.getFirst().examples());
    }

    @Test
    void whatIsNoList_isRefused() {
        FeedRefusedException page = assertThrows(FeedRefusedException.class, () -> guesses("<!DOCTYPE html><html>"));
        assertEquals(
                "feed list: looks like HTML or XML, an error or login page perhaps, not like format lines",
                page.getMessage());
    }
}
