package org.bloomgate.app.cli.common;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.local.EntryText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `explain` and `retro` take a value for, which `listing add` and `exception add` take as that.
class KindOptionTest {
    @ParameterizedTest
    @CsvSource({
        "evil.example, DOMAIN",
        "xn--bcher-kva.example, DOMAIN",
        "192.0.2.7.example, DOMAIN",
        "evil.example/page, URL",
        "http://192.0.2.7/, URL",
        "192.0.2.7/page, URL",
        "http://user@evil.example/, URL",
        "somebody@evil.example, ADDRESS",
        "192.0.2.7, NETWORK",
        "192.0.2.0/24, NETWORK",
        "2001:db8::7, NETWORK",
        "2001:db8::/32, NETWORK",
        "+1 202 555 0143, PHONE",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08, HASH"
    })
    void kindOfValue_followsItsForm(String value, KeyKind kind) throws Exception {
        assertEquals(kind, new KindOption().resolve(value, "no secret"));
        assertDoesNotThrow(() -> EntryText.of(kind, value)
                .withCountryCode(Configuration.defaults().phones()));
    }
}
