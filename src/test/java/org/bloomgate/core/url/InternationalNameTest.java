package org.bloomgate.core.url;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class InternationalNameTest {
    @Test
    void nameIsMappedUpToItsBoundAndKeptAsBytesBeyond() {
        String mapped = "\u3300";
        int each = 4;
        String rest = ".example";
        int most = (InternationalName.MAX_MAPPED_CHARS - rest.length()) / each;
        assertTrue(host(mapped.repeat(most) + rest).startsWith("xn--"));
        assertTrue(host(mapped.repeat(most + 1) + rest).startsWith("%e3%8c%80"));
    }

    @Test
    void noCharacterBecomesMoreThanItIsReckonedWith() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String mapped = InternationalName.MAPPING.normalize(Character.toString(c));
            assertTrue(mapped.length() <= InternationalName.MAX_EXPANSION * Character.charCount(c), mapped);
        }
    }

    private static String host(String text) {
        return Host.parse(text).orElseThrow().text();
    }
}
