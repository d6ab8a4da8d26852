package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class KeyKindTest {
    private static final PublicSuffixes SUFFIXES = PublicSuffixes.bundled();

    /// A feed entry of each kind, its canonical text, host and wholly listed host.
    private static final Map<KeyKind, Row> ROWS = Map.of(
            KeyKind.ADDRESS, new Row("Ann@Shop.Example", "ann@shop.example", "shop.example", ""),
            KeyKind.DOMAIN, new Row("WWW.Shop.example.", "www.shop.example", "www.shop.example", "www.shop.example"),
            KeyKind.URL, new Row("http://Shop.example/A/../b?c", "shop.example/b?c", "shop.example", ""),
            KeyKind.PASSWORD, new Row("password", "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8", "", ""),
            KeyKind.HASH, new Row("AB".repeat(32), "ab".repeat(32), "", ""),
            KeyKind.KEYWORD, new Row("Lottery", "lottery", "", ""),
            KeyKind.NETWORK, new Row("2001:0DB8:0::7", "2001:db8::7/128", "", ""),
            KeyKind.DOMAIN_SHA1, new Row("AB".repeat(20), "ab".repeat(20), "", ""),
            KeyKind.ADDRESS_SHA1, new Row("CD".repeat(20), "cd".repeat(20), "", ""),
            KeyKind.PHONE, new Row("+1 (202) 555-0123", "+12025550123", "", ""));

    private record Row(String entry, String text, String host, String wholeHost) {}

    @Test
    void wireCodesAndLabelsNeverChange() {
        Map<Integer, String> codes = new TreeMap<>();
        Stream.of(KeyKind.values()).forEach(kind -> codes.put(kind.wireCode(), kind.label()));

        assertEquals(
                Map.of(
                        1,
                        "address",
                        2,
                        "domain",
                        3,
                        "url",
                        4,
                        "password",
                        5,
                        "hash",
                        6,
                        "keyword",
                        7,
                        "network",
                        9,
                        "domain-sha1",
                        10,
                        "address-sha1",
                        11,
                        "phone"),
                codes,
                "stands in filter files, exact stores and manifests");
    }

    @ParameterizedTest
    @EnumSource
    void labelAndWireCodeNameTheKind(KeyKind kind) {
        assertEquals(Optional.of(kind), KeyKind.ofLabel(kind.label()));
        assertEquals(Optional.of(kind), KeyKind.ofWireCode(kind.wireCode()));
        assertTrue(KeyKind.labels().contains(kind.label()));
        assertTrue(kind.wireCode() > 0 && kind.wireCode() < 256);
    }

    @Test
    void unknownLabelAndWireCodeNameNone() {
        assertEquals(Optional.empty(), KeyKind.ofLabel("Domain"));
        assertEquals(Optional.empty(), KeyKind.ofWireCode(0));
        assertEquals(Optional.empty(), KeyKind.ofWireCode(255));
    }

    @ParameterizedTest
    @EnumSource
    void entryBecomesTheCanonicalKeyAndItsBytesTheKeyAgain(KeyKind kind) {
        Key key = new Key(kind, row(kind).text);

        assertEquals(new FeedKey.Taken(key), new FeedKeys(SUFFIXES).of(kind, row(kind).entry));
        assertEquals(key, Key.ofBytes(kind, key.bytes(), 0, key.bytes().length));
    }

    @ParameterizedTest
    @EnumSource
    void lookedUpValue_hasTheKeyOfItsEntry(KeyKind kind) {
        KeyBatch batch = new KeyBatch();
        LookupValue value = kind.rules().toLookupValues(row(kind).entry).getFirst();
        batch.begin(new Identifier(kind, value.text(), Place.LINK, "test"));
        value.keys().append(SUFFIXES, batch);

        List<Key> keys = IntStream.range(0, batch.size()).mapToObj(batch::key).toList();
        assertTrue(keys.contains(new Key(kind, row(kind).text)), keys::toString);
    }

    @ParameterizedTest
    @EnumSource
    void emptyValue_hasNoCanonicalForm(KeyKind kind) {
        assertEquals(List.of(), kind.rules().toLookupValues(""));
    }

    @ParameterizedTest
    @EnumSource
    void key_hasItsHost(KeyKind kind) {
        Row row = row(kind);

        assertEquals(row.host, kind.rules().host(row.text).orElse(""));
        assertEquals(row.wholeHost, kind.rules().wholeHost(row.text).orElse(""));
    }

    @Test
    void urlWithoutPathAndQuery_listsItsHost() {
        assertEquals(Optional.of("shop.example"), KeyKind.URL.rules().wholeHost("shop.example/"));
    }

    @ParameterizedTest
    @EnumSource
    void secretKey_isMasked(KeyKind kind) {
        String text = row(kind).text;
        KindRules rules = kind.rules();

        assertEquals(rules.isSecret(), !rules.mask(text).equals(text));
        assertEquals(
                rules.isSecret(),
                rules.toLookupValues(row(kind).entry).stream()
                        .allMatch(value -> value.text().isEmpty()));
    }

    @ParameterizedTest
    @EnumSource
    void ratesAndKeyCounts_arePositive(KeyKind kind) {
        assertTrue(kind.rules().rate() > 0 && kind.rules().rate() < 1);
        assertTrue(kind.rules().keysPerMessage() > 0);
    }

    @ParameterizedTest
    @CsvSource({"domain, hxxp://shop[.]example, http://shop.example", "url, hxxps://a[.]b/?x&amp;y, https://a.b/?x&y"})
    void reportsAreReadAsWhatTheyReport(String kind, String reported, String value) {
        assertEquals(value, KeyKind.ofLabel(kind).orElseThrow().rules().restored(reported));
    }

    @Test
    void passwordIsTakenAsItStands() {
        assertEquals("a[.]b&amp;", KeyKind.PASSWORD.rules().restored("a[.]b&amp;"));
        assertFalse(KeyKind.PASSWORD.rules().hasUses());
    }

    private static Row row(KeyKind kind) {
        return Optional.ofNullable(ROWS.get(kind)).orElseThrow(() -> new AssertionError("no row for " + kind));
    }
}
