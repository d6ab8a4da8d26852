package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A value of one kind that is asked about as another is a mistake, and never "clean".
class OtherKindsValuesTest {
    private static final Map<KeyKind, List<String>> VALUES = Map.of(
            KeyKind.DOMAIN, List.of("listed.example", "bücher.example", "localhost"),
            KeyKind.ADDRESS, List.of("user@listed.example", "a.b+c@sub.listed.example"),
            KeyKind.URL,
                    List.of("http://listed.example/x", "https://user@listed.example/a?b=c#d", "listed.example/path"),
            KeyKind.NETWORK, List.of("2001:db8::1"),
            KeyKind.PHONE, List.of("+44 20 7946 0001"),
            KeyKind.HASH, List.of("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));

    @Test
    void aValueIsOfItsKind() {
        VALUES.forEach((kind, values) -> values.forEach(
                value -> assertFalse(kind.rules().toLookupValues(value).isEmpty(), kind + " " + value)));
    }

    /// A bare name is a page of its host as well, and an IPv4 address a host: these are one question in two words.
    @Test
    void aValueIsOfNoOtherKind() {
        VALUES.forEach((kind, values) -> VALUES.keySet().stream()
                .filter(other -> other != kind && !(kind == KeyKind.DOMAIN && other == KeyKind.URL))
                .filter(other -> !(kind == KeyKind.NETWORK && (other == KeyKind.URL || other == KeyKind.DOMAIN)))
                .forEach(other -> values.forEach(
                        value -> assertEquals(List.of(), other.rules().toLookupValues(value), other + " " + value))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"not a domain", "", " ", "a,b", "a b.example", "a@", "@b", "*", "http://", "a..b/c d"})
    void whatIsOfNoKindIsNoDomainAndNoAddress(String value) {
        assertEquals(List.of(), KeyKind.DOMAIN.rules().toLookupValues(value));
        assertEquals(List.of(), KeyKind.ADDRESS.rules().toLookupValues(value));
        assertEquals(List.of(), KeyKind.NETWORK.rules().toLookupValues(value));
    }

    @ParameterizedTest
    @CsvSource({
        "listed.example., listed.example",
        "*.Listed.Example, listed.example",
        "listed.example:443, listed.example"
    })
    void spellingsThatAFeedMayHaveAreTaken(String value, String canonical) {
        assertEquals(
                canonical,
                KeyKind.DOMAIN.rules().toLookupValues(value).getFirst().text());
    }
}
