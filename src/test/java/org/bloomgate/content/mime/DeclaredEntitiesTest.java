package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Texts that a document declares for itself.
class DeclaredEntitiesTest {
    private static ReadMessage read(String type, String document) {
        return ReadMessage.of(("Content-Type: " + type + "\r\n\r\n" + document).getBytes(StandardCharsets.UTF_8));
    }

    private static String page(String declarations, String link) {
        return "<?xml version='1.0'?>\n<!-- <!DOCTYPE b [> -->\n<!DOCTYPE html PUBLIC \"-//[//\" 'x' [" + declarations
                + "]>\n<html><a href=\"" + link + "\">x</a></html>";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!ENTITY a \"evil.example\">",
                "<!ENTITY a 'evil.example'><!ENTITY a 'good.example'>",
                "<!ENTITY b 'evil'><!ENTITY a '&b;.&c;'><!ENTITY c 'example'>",
                "<!-- > ] --><!ENTITY a '&#101;vil.&#x65;xample'>",
                "<!ENTITY b 'evil.example'><!ENTITY a '&#38;b;'>",
                "<!ELEMENT p (#PCDATA)><!ENTITY q ']>'><!ENTITY a 'evil.example'>"
            })
    void areReadWhereTheyStand(String declarations) {
        for (String type : new String[] {"application/xhtml+xml", "text/html", "image/svg+xml", "text/xml"}) {
            ReadMessage read = read(type, page(declarations, "http://&a;/x"));
            assertTrue(read.holds("evil.example"), () -> type + ": " + read);
            assertEquals(Set.of(), read.limits(), type);
        }
    }

    @Test
    void mayBeMarkupAndDefaultsOfAttributes() {
        assertTrue(
                read("application/xhtml+xml", page("<!ENTITY a '<a href=\"//evil.example\">x</a>'>", "\">&a;<p id=\""))
                        .holds("evil.example"));
        assertTrue(read("application/xhtml+xml", page("<!ATTLIST p href CDATA 'http://evil.example/'>", "x"))
                .holds("evil.example"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<!ENTITY a SYSTEM 'http://evil.example/x'>",
                "<!ENTITY % b \"<!ENTITY a 'evil.example'>\"> %b;",
                "<!ENTITY a 'x&a;'>",
            })
    void whatIsNotPutInIsALimit(String declarations) {
        assertEquals(
                Set.of("entities"),
                read("application/xhtml+xml", page(declarations, "http://&a;/")).limits());
    }

    @Test
    void aBillionLaughsAreCut() {
        StringBuilder declarations = new StringBuilder("<!ENTITY l0 'http://evil.example/ '>");
        for (int i = 1; i < 10; i++) {
            declarations
                    .append("<!ENTITY l")
                    .append(i)
                    .append(" '")
                    .append(("&l" + (i - 1) + ";").repeat(10))
                    .append("'>");
        }
        ReadMessage read = read("application/xhtml+xml", page(declarations.toString(), "\">&l9;<p id=\""));
        assertEquals(Set.of("entities"), read.limits());
        assertTrue(read.holds("evil.example"));
    }

    @Test
    void aDocumentTypeWithoutDeclarationsIsPassedBy() {
        ReadMessage read = read("text/html", "<!DOCTYPE html><a href='http://&a;/'>[<!ENTITY a 'evil.example'>]");
        assertFalse(read.holds("evil.example"));
        assertEquals(Set.of(), read.limits());
    }
}
