package org.bloomgate.content.links;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelativeLinkTest {
    @ParameterizedTest
    @CsvSource({
        "http://a.example/b/c?d=/e, f, http://a.example/b/f",
        "http://a.example/b/, f/../g, http://a.example/b/f/../g",
        "http://a.example/b/c, /f, http://a.example/f",
        "http://a.example, f, http://a.example/f",
        "http://a.example?x, f, http://a.example/f",
        "http://a.example/b?c, ?d, http://a.example/b?d",
        "//a.example/b/, f, //a.example/b/f",
        "no base, f, f"
    })
    void resolve(String base, String reference, String resolved) {
        assertEquals(resolved, RelativeLink.resolve(base, reference));
    }
}
