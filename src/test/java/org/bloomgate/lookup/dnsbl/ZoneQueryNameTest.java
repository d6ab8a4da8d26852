package org.bloomgate.lookup.dnsbl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ZoneQueryNameTest {

    @ParameterizedTest
    @CsvSource({
        "bad.example, bad.example.dbl.example",
        "xn--dbel-zra.example, xn--dbel-zra.example.dbl.example",
        "1.example, 1.example.dbl.example",
        "192.0.2.1, 1.2.0.192.dbl.example"
    })
    void domainsAreAskedAsTheyAreAndAddressesReversed(String key, String question) {
        assertEquals(Optional.of(question), ZoneQueryName.of(new Key(KeyKind.DOMAIN, key), "dbl.example"));
    }

    /// The example of RFC 5782, 2.4.
    @Test
    void sixteenBytesAreAskedDigitByDigit() {
        assertEquals(
                Optional.of("b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.dbl.example"),
                ZoneQueryName.of(new Key(KeyKind.DOMAIN, "[2001:db8::567:89ab]"), "dbl.example"));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"DOMAIN", "NETWORK"},
            mode = EnumSource.Mode.EXCLUDE)
    void nothingElseIsAsked(KeyKind kind) {
        assertEquals(Optional.empty(), ZoneQueryName.of(new Key(kind, "bad.example"), "dbl.example"));
    }

    @Test
    void aClientIsAskedAboutByItsAddressAndANetworkByNothing() {
        assertEquals(Optional.of("1.2.0.192.dbl.example"), question("192.0.2.1"));
        assertEquals(
                Optional.of("b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.dbl.example"),
                question("2001:db8::567:89ab"));
        assertEquals(Optional.empty(), question("192.0.2.0/24"));
    }

    private static Optional<String> question(String network) {
        return ZoneQueryName.of(AddressBlock.parse(network).key(), "dbl.example");
    }
}
