package org.bloomgate.core.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.key.Rows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalUrlTest {
    static Stream<Arguments> urls() {
        return Rows.of("urls.tsv");
    }

    @ParameterizedTest
    @MethodSource("urls")
    void everySpellingHasItsCanonicalForm(String input, String expected) {
        assertEquals(expected, canonical(Rows.bytesOf(input)));
    }

    @ParameterizedTest
    @MethodSource("urls")
    void aCanonicalFormReadAgainIsTheSame(String input, String expected) {
        if (!expected.equals("-")) {
            assertEquals(expected, canonical(expected.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private static String canonical(byte[] bytes) {
        return CanonicalUrl.parse(bytes, 0, bytes.length)
                .map(CanonicalUrl::text)
                .orElse("-");
    }

    @Test
    void thePartsAddUpToTheWhole() {
        CanonicalUrl url = CanonicalUrl.parse("HTTPS://u@Evil.example:1/a/?q#f").orElseThrow();
        assertEquals("https", url.scheme());
        assertEquals(new Host("evil.example", HostKind.NAME), url.host());
        assertEquals("/a/", url.path());
        assertEquals(Optional.of("q"), url.query());
        assertEquals("evil.example/a/?q", url.keyText());
        assertEquals("https://evil.example/a/?q", url.toString());
    }

    @Test
    void anEmptyQueryIsShownButNoPartOfTheKey() {
        CanonicalUrl url = CanonicalUrl.parse("http://evil.example/?").orElseThrow();
        assertEquals(Optional.of(""), url.query());
        assertEquals("evil.example/", url.keyText());
    }

    @Test
    void urlsAreEqualByTheirForm() {
        CanonicalUrl url = CanonicalUrl.parse("http://evil.example/a").orElseThrow();
        assertEquals(url, CanonicalUrl.parse("HTTP://EVIL.EXAMPLE//a").orElseThrow());
        assertEquals(
                url.hashCode(),
                CanonicalUrl.parse("HTTP://EVIL.EXAMPLE//a").orElseThrow().hashCode());
        assertNotEquals(url, CanonicalUrl.parse("https://evil.example/a").orElseThrow());
    }

    @Test
    void ofALongPathSoMuchIsReadThatTheFormHasRoom() {
        String host = "http://evil.example";
        String read = host + "/a/..".repeat(UrlParser.MAX_PATH_BYTES / 5 - 1);
        assertEquals(host + "/b", canonical((read + "/b").getBytes(StandardCharsets.US_ASCII)));
        assertEquals(host + "/", canonical((read + "/a/../a/../b").getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void theFirst8192BytesOfTheFormAreKept() {
        String whole = "http://evil.example/" + "a".repeat(8192 - 20);
        assertEquals(whole, CanonicalUrl.parse(whole).orElseThrow().text());
        assertEquals(whole, CanonicalUrl.parse(whole + "b").orElseThrow().text());
        byte[] bytes = (whole + "b").getBytes(StandardCharsets.US_ASCII);
        assertEquals(whole, canonical(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://%s@evil.example/a", "http://%s.evil.example/a", "http:////%s:x@evil.example/a"})
    void hostIsFoundWhateverStandsBeforeIt(String url) {
        String padded = url.formatted("a.".repeat(20_000) + "a");
        CanonicalUrl parsed = CanonicalUrl.parse(padded).orElseThrow();
        assertTrue(parsed.host().text().endsWith("evil.example"), parsed.text());
        assertTrue(CanonicalUrl.parse("http:" + "/".repeat(9_000) + "evil.example/a")
                .isPresent());
    }

    @Test
    void ignoredCharactersDoNotHideAName() {
        String name = "b\u00fc" + "\u200b".repeat(5_000) + "cher.evil.example";
        assertEquals(
                "xn--bcher-kva.evil.example",
                CanonicalUrl.parse("http://" + name + "/").orElseThrow().host().text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"é", "\u0001", "a/.é", "é.", "/é/..é", "%", "?é", "é?"})
    void aFormThatEscapesMakeTooLongIsCutAndStaysTheSame(String filling) {
        for (int shift = 0; shift < 4; shift++) {
            String given = "http://evil.example/" + "x".repeat(shift) + filling.repeat(8000 / filling.length());
            String once = CanonicalUrl.parse(given).orElseThrow().text();
            assertTrue(once.length() <= 8192);
            assertEquals(once, CanonicalUrl.parse(once).orElseThrow().text());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%25",
                "%2525",
                "%",
                ".",
                "/",
                "/.",
                "/../",
                "@",
                ":",
                "[",
                "。",
                "ß",
                "％25",
                "http:",
                "http%3A%2F",
                "#",
                "?",
                "\\",
                "<",
                "xn--",
                "&;"
            })
    void hostileRepetitionIsLinear(String filling) {
        String given = filling.repeat(1_000_000 / filling.length());
        assertTimeout(Duration.ofSeconds(2), () -> {
            for (String prefix : List.of("", "http://", "http://evil.example/", "http://evil.example/?")) {
                Optional<CanonicalUrl> url = CanonicalUrl.parse(prefix + given);
                assertTrue(url.isEmpty() || url.get().text().length() <= 8192);
                assertTrue(LinkUnwrapping.targets(prefix + given).size() <= LinkUnwrapping.MAX_TARGETS);
            }
        });
    }
}
