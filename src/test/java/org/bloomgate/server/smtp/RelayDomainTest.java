package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelayDomainTest {
    @ParameterizedTest
    @CsvSource({
        "*, *",
        "Dest.example., dest.example",
        "*.Dest.example, *.dest.example",
        "' dest.example ', dest.example"
    })
    void aDomainIsNormalised(String text, String normalised) {
        assertEquals(normalised, RelayDomain.of(text).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "@dest.example",
                "a@dest.example",
                "dest.example/",
                "http://dest.example/",
                "a.example,b.example",
                "dest example",
                "[\"dest.example\"]",
                "**",
                "*.",
                "*.*.example",
                "a.*.example",
                "192.0.2.1"
            })
    void whatIsNoDomainIsAnError(String text) {
        assertThrows(IllegalArgumentException.class, () -> RelayDomain.of(text));
    }
}
