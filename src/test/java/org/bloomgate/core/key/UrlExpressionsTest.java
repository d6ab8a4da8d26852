package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class UrlExpressionsTest {
    static Stream<Arguments> expressions() {
        return Rows.of("expressions.tsv");
    }

    static Stream<Arguments> domains() {
        return Rows.of("domains.tsv");
    }

    @ParameterizedTest
    @MethodSource("expressions")
    void aUrlHasTheExpressionsOfSafeBrowsing(String url, String keys) {
        assertEquals(
                List.of(keys.split(" ")),
                Batches.urlKeys(CanonicalUrl.parse(url).orElseThrow()));
    }

    @ParameterizedTest
    @MethodSource("domains")
    void aHostHasItselfAndItsParentsDownToTheRegistrableDomain(String host, String keys) {
        List<String> expected = keys.equals("-") ? List.of() : List.of(keys.split(" "));
        assertEquals(expected, Batches.domainKeys(Host.parse(host).orElseThrow()));
    }

    @ParameterizedTest
    @MethodSource("domains")
    void aUrlBringsTheDomainsOfItsHost(String host, String keys) {
        Host parsed = Host.parse(host).orElseThrow();
        CanonicalUrl url = CanonicalUrl.parse("http://" + parsed.text() + "/x").orElseThrow();
        List<String> expected = keys.equals("-") ? List.of() : List.of(keys.split(" "));
        assertEquals(
                expected, Batches.keys(KeyKind.DOMAIN, batch -> UrlExpressions.append(url, Batches.SUFFIXES, batch)));
    }

    @Test
    void onlyTheWholeUrlAndTheWholeHostAreTheIdentifierItself() {
        CanonicalUrl url = CanonicalUrl.parse("http://a.evil.example/b/c?d").orElseThrow();
        KeyBatch batch = Batches.filledBy(into -> UrlExpressions.append(url, Batches.SUFFIXES, into));
        List<String> itself = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.itself(i)) {
                itself.add(batch.key(i).text());
            }
        }
        assertEquals(List.of("a.evil.example/b/c?d", "a.evil.example"), itself);
    }

    @Test
    void aNameTooLongForDnsIsKnownByItsRegistrableDomainOnly() {
        String host = "a".repeat(250) + ".b.evil.example";
        CanonicalUrl url = CanonicalUrl.parse("http://" + host + "/x").orElseThrow();
        assertEquals(host, url.host().text());
        assertEquals(List.of("evil.example/x", "evil.example/"), Batches.urlKeys(url));
        assertEquals(List.of("evil.example"), Batches.domainKeys(url.host()));
        assertEquals(
                1 + 1,
                Batches.domainKeys(new Host("a".repeat(240) + ".evil.example", HostKind.NAME))
                        .size());
    }
}
