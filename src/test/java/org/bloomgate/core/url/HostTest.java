package org.bloomgate.core.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.bloomgate.core.key.Rows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HostTest {
    static Stream<Arguments> hosts() {
        return Rows.of("hosts.tsv");
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void everySpellingHasItsCanonicalForm(String input, String expected) {
        assertEquals(expected, form(Rows.textOf(input)));
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void aCanonicalFormReadAgainIsTheSame(String input, String expected) {
        if (!expected.equals("-")) {
            assertEquals(expected, form(expected.substring(expected.indexOf(' ') + 1)));
        }
    }

    private static String form(String text) {
        return Host.parse(text).map(host -> host.kind() + " " + host.text()).orElse("-");
    }

    @Test
    void bytesThatNoNameHasShow() {
        assertTrue(Host.parse("a b.example").orElseThrow().isEscaped());
        assertFalse(Host.parse("a_b.example").orElseThrow().isEscaped());
    }

    @Test
    void aNameThatKeepsUnfoldingIsNobodysHost() {
        String nested = "％252525ef％252525bc％25252585";
        assertEquals(Host.parse(nested), Host.parse(nested).flatMap(host -> Host.parse(host.text())));
    }
}
