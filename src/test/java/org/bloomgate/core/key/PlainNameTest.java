package org.bloomgate.core.key;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bloomgate.core.url.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainNameTest {
    private static final String LABEL_OF_63 = "a".repeat(63);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "www.evil.example",
                "a.b",
                "0.1.2.a",
                "_dmarc.evil.example",
                "-a-.example",
                "hx.example",
                "htxx.example",
                "xxx.example"
            })
    void whatIsItsOwnCanonicalFormIsPlain(String name) {
        assertTrue(isPlain(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example",
                ".",
                ".example",
                "evil..example",
                "evil.",
                "Evil.example",
                "evil.Example",
                "evil.example/",
                "evil example",
                "evil.1a",
                "192.0.2.7",
                "evil.-a",
                "evil.{",
                "evil.`",
                "evil.example.",
                "hxxp.example",
                "m\u00fcller.example"
            })
    void whatHasToBeChangedOrRefusedIsNot(String name) {
        assertFalse(isPlain(name));
    }

    @Test
    void labelsAndNamesHaveTheLengthsOfTheDns() {
        assertTrue(isPlain(LABEL_OF_63 + ".example"));
        assertFalse(isPlain(LABEL_OF_63 + "a.example"));
        assertTrue(isPlain("evil." + LABEL_OF_63));
        assertFalse(isPlain("evil." + LABEL_OF_63 + "a"));
        String three = (LABEL_OF_63 + ".").repeat(3);
        assertTrue(isPlain(three + "a".repeat(Host.MAX_NAME_BYTES - three.length())));
        assertFalse(isPlain(three + "a".repeat(Host.MAX_NAME_BYTES + 1 - three.length())));
    }

    @Test
    void onlyTheRangeIsLookedAt() {
        byte[] line = "#.evil.example #".getBytes(ISO_8859_1);
        assertTrue(PlainName.is(line, 2, 14));
        assertFalse(PlainName.is(line, 1, 14));
        assertFalse(PlainName.is(line, 2, 15));
    }

    private static boolean isPlain(String name) {
        byte[] bytes = name.getBytes(ISO_8859_1);
        return PlainName.is(bytes, 0, bytes.length);
    }
}
